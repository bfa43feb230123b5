/// The window in the language of GtkBuilder.
let windowDescription = """
  <interface>
    <object class="AdwApplicationWindow" id="window">
      <property name="title">Invoices</property>
      <property name="default-width">1100</property>
      <property name="default-height">700</property>
      <property name="content">
        <object class="GtkBox">
          <property name="orientation">vertical</property>
          <child><object class="AdwHeaderBar">
            <property name="title-widget">
              <object class="AdwWindowTitle" id="title">
                <property name="title">Invoices</property></object></property>
            <child type="start"><object class="GtkButton" id="sign-in">
              <property name="label">Sign In</property></object></child>
            <child type="start"><object class="GtkButton" id="sync">
              <property name="label">Sync</property></object></child>
          </object></child>
          <child><object class="GtkRevealer" id="banner"><property name="child">
            <object class="GtkBox">
              <property name="spacing">12</property>
              <style><class name="notice"/></style>
              <child><object class="GtkBox">
                <property name="orientation">vertical</property>
                <property name="hexpand">True</property>
                <child><object class="GtkLabel" id="banner-problem">
                  <property name="xalign">0</property><property name="wrap">True</property>
                  <property name="selectable">True</property>
                  <style><class name="heading"/></style></object></child>
                <child><object class="GtkLabel" id="banner-remedy">
                  <property name="xalign">0</property><property name="wrap">True</property>
                  <property name="wrap-mode">word-char</property>
                  <property name="selectable">True</property></object></child>
              </object></child>
              <child><object class="GtkButton" id="banner-action">
                <property name="valign">center</property></object></child>
              <child><object class="GtkButton" id="banner-close">
                <property name="valign">center</property>
                <property name="icon-name">window-close-symbolic</property>
                <property name="tooltip-text">Close this message</property>
                <accessibility><property name="label">Close this message</property></accessibility>
                <style><class name="flat"/></style></object></child>
            </object></property></object></child>
          <child><object class="GtkPaned">
            <property name="vexpand">True</property>
            <property name="position">190</property>
            <property name="shrink-start-child">False</property>
            <property name="resize-start-child">False</property>
            <property name="start-child"><object class="GtkScrolledWindow">
              <property name="hscrollbar-policy">never</property>
              <property name="child"><object class="GtkListBox" id="accounts">
                <accessibility><property name="label">Accounts</property></accessibility>
                <style><class name="navigation-sidebar"/></style>
              </object></property></object></property>
            <property name="end-child"><object class="GtkPaned">
              <property name="position">470</property>
              <property name="shrink-start-child">False</property>
              <property name="start-child"><object class="GtkBox">
                <property name="orientation">vertical</property>
                <child><object class="GtkSearchEntry" id="search">
                  <property name="placeholder-text">Number, contact, reference or line</property>
                  <property name="margin-top">6</property>
                  <property name="margin-bottom">6</property>
                  <property name="margin-start">6</property>
                  <property name="margin-end">6</property>
                  <accessibility><property name="label">Search invoices</property></accessibility>
                </object></child>
                <child><object class="GtkStack" id="list-stack">
                  <property name="vexpand">True</property>
                  <child><object class="GtkStackPage"><property name="name">list</property>
                    <property name="child"><object class="GtkScrolledWindow" id="scroller">
                      <property name="hscrollbar-policy">never</property>
                      <property name="child"><object class="GtkListView" id="list">
                        <accessibility><property name="label">Invoices</property></accessibility>
                        <style><class name="rich-list"/></style>
                      </object></property></object></property></object></child>
                  <child><object class="GtkStackPage"><property name="name">empty</property>
                    <property name="child"><object class="AdwStatusPage" id="empty">
                      <property name="title">No Invoices</property></object></property>
                  </object></child>
                </object></child>
                <child><object class="GtkRevealer" id="progress"><property name="child">
                  <object class="GtkBox">
                    <property name="spacing">12</property>
                    <style><class name="toolbar"/></style>
                    <child><object class="GtkProgressBar" id="progress-bar">
                      <property name="hexpand">True</property>
                      <property name="valign">center</property>
                      <property name="show-text">True</property>
                      <accessibility><property name="label">Progress</property></accessibility>
                    </object></child>
                    <child><object class="GtkButton" id="cancel">
                      <property name="label">Cancel</property>
                    </object></child>
                  </object></property></object></child>
              </object></property>
              <property name="end-child"><object class="GtkScrolledWindow">
                <property name="hscrollbar-policy">never</property>
                <property name="width-request">300</property>
                <property name="child"><object class="GtkBox" id="details">
                  <property name="orientation">vertical</property>
                  <property name="spacing">12</property>
                  <style><class name="details"/></style>
                </object></property></object></property>
            </object></property>
          </object></child>
        </object>
      </property>
    </object>
  </interface>
  """

/// The few styles that are not libadwaita's.
let windowStyles = """
  .notice { background: alpha(@warning_bg_color, .25); padding: 8px 12px; }
  .details { padding: 18px; }
  .account { padding: 6px 0; }
  .invoice { padding: 2px 0; }
  .amount { font-feature-settings: "tnum"; }
  """
