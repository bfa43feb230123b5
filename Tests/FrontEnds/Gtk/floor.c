// The floor for the window's figures: a bare libadwaita window with a list of strings in memory, in
// rows of four labels like the window's own. It prints the same figures as `invoices-window --bench`.
// Usage: floor ROWS start|scroll
#include <adwaita.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  GtkWindow *window;
  GtkAdjustment *bar;
  gboolean scrolls;
  int phase;  // -1 before the first rows, then 0 for the wheel and 1 for the drag
  gint64 first, last, longest;
  int frames, late;
} Bench;

static const char *const phases[] = {"wheel", "drag"};
static const double seconds = 5;

static void painted(GdkFrameClock *clock, Bench *bench) {
  if (bench->phase >= 0) return;
  g_print("first-rows %.6f\n", g_get_real_time() / 1e6);
  if (!bench->scrolls) {
    gtk_window_close(bench->window);
    return;
  }
  bench->phase = 0;
  gdk_frame_clock_begin_updating(clock);
}

static void update(GdkFrameClock *clock, Bench *bench) {
  if (bench->phase < 0) return;
  gint64 time = gdk_frame_clock_get_frame_time(clock);
  if (bench->frames++ == 0) {
    bench->first = time;
  } else {
    bench->longest = MAX(bench->longest, time - bench->last);
    bench->late += time - bench->last > 25000;
  }
  bench->last = time;
  double elapsed = (time - bench->first) / 1e6;
  double end = gtk_adjustment_get_upper(bench->bar) - gtk_adjustment_get_page_size(bench->bar);
  double value = bench->phase == 0 ? gtk_adjustment_get_value(bench->bar) + 40
                                   : end * elapsed / seconds;
  gtk_adjustment_set_value(bench->bar, MIN(value, end));
  if (elapsed < seconds) return;
  g_print("%s %.1f %.1f %d 0\n", phases[bench->phase], (bench->frames - 1) / elapsed,
          bench->longest / 1e3, bench->late);
  bench->frames = bench->late = bench->longest = 0;
  if (++bench->phase < 2) return;
  bench->phase = -2;
  gtk_window_close(bench->window);
}

static void setup(GtkListItemFactory *factory, GtkListItem *item, gpointer data) {
  (void)factory, (void)data;
  GtkWidget *grid = gtk_grid_new();
  gtk_grid_set_column_spacing(GTK_GRID(grid), 12);
  for (int place = 0; place < 4; place++) {
    GtkWidget *label = gtk_label_new(NULL);
    gtk_label_set_xalign(GTK_LABEL(label), place % 2);
    gtk_widget_set_hexpand(label, place % 2 == 0);
    gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_END);
    if (place > 1) gtk_widget_add_css_class(label, "caption");
    gtk_grid_attach(GTK_GRID(grid), label, place % 2, place / 2, 1, 1);
  }
  gtk_list_item_set_child(item, grid);
}

static void bind(GtkListItemFactory *factory, GtkListItem *item, gpointer data) {
  (void)factory, (void)data;
  const char *text = gtk_string_object_get_string(gtk_list_item_get_item(item));
  GtkWidget *label = gtk_widget_get_first_child(gtk_list_item_get_child(item));
  for (; label; label = gtk_widget_get_next_sibling(label)) {
    gtk_label_set_text(GTK_LABEL(label), text);
  }
}

static GtkWidget *list(int rows) {
  GtkStringList *strings = gtk_string_list_new(NULL);
  for (int row = 0; row < rows; row++) {
    gtk_string_list_take(strings, g_strdup_printf("Invoice %d of a customer", row));
  }
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
  g_signal_connect(factory, "setup", G_CALLBACK(setup), NULL);
  g_signal_connect(factory, "bind", G_CALLBACK(bind), NULL);
  return gtk_list_view_new(
      GTK_SELECTION_MODEL(gtk_single_selection_new(G_LIST_MODEL(strings))), factory);
}

typedef struct {
  int rows;
  gboolean scrolls;
} Choice;

static void activate(GtkApplication *application, Choice *choice) {
  g_print("activated %.6f\n", g_get_real_time() / 1e6);
  GtkWidget *scroller = gtk_scrolled_window_new();
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), list(choice->rows));
  gtk_widget_set_vexpand(scroller, TRUE);
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append(GTK_BOX(box), adw_header_bar_new());
  gtk_box_append(GTK_BOX(box), scroller);
  GtkWindow *window = GTK_WINDOW(adw_application_window_new(application));
  gtk_window_set_default_size(window, 1100, 700);
  adw_application_window_set_content(ADW_APPLICATION_WINDOW(window), box);
  gtk_window_present(window);

  Bench *bench = g_new0(Bench, 1);
  bench->window = window;
  bench->bar = gtk_scrolled_window_get_vadjustment(GTK_SCROLLED_WINDOW(scroller));
  bench->scrolls = choice->scrolls;
  bench->phase = -1;
  GdkFrameClock *clock = gtk_widget_get_frame_clock(GTK_WIDGET(window));
  g_signal_connect(clock, "after-paint", G_CALLBACK(painted), bench);
  g_signal_connect(clock, "update", G_CALLBACK(update), bench);
}

int main(int argc, char **argv) {
  if (argc != 3) return 64;
  Choice choice = {atoi(argv[1]), strcmp(argv[2], "scroll") == 0};
  AdwApplication *application =
      adw_application_new("org.appcore.Floor", G_APPLICATION_NON_UNIQUE);
  g_signal_connect(application, "activate", G_CALLBACK(activate), &choice);
  return g_application_run(G_APPLICATION(application), 0, NULL);
}
