// libadwaita is included by GtkShim.
