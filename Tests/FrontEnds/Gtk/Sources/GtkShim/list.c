#include "gtk-shim.h"

// A row's object: it holds nothing, since the list item knows its position.
#define SHIM_TYPE_ROW (shim_row_get_type())
G_DECLARE_FINAL_TYPE(ShimRow, shim_row, SHIM, ROW, GObject)
struct _ShimRow {
  GObject parent;
};
G_DEFINE_FINAL_TYPE(ShimRow, shim_row, G_TYPE_OBJECT)
static void shim_row_class_init(ShimRowClass *type) { (void)type; }
static void shim_row_init(ShimRow *row) { (void)row; }

#define SHIM_TYPE_LIST (shim_list_get_type())
G_DECLARE_FINAL_TYPE(ShimList, shim_list, SHIM, LIST, GObject)
struct _ShimList {
  GObject parent;
  guint count;
};

static GType item_type(GListModel *list) {
  (void)list;
  return SHIM_TYPE_ROW;
}

static guint count(GListModel *list) { return SHIM_LIST(list)->count; }

static gpointer item(GListModel *list, guint position) {
  return position < SHIM_LIST(list)->count ? g_object_new(SHIM_TYPE_ROW, NULL) : NULL;
}

static void model_init(GListModelInterface *model) {
  model->get_item_type = item_type;
  model->get_n_items = count;
  model->get_item = item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE(ShimList, shim_list, G_TYPE_OBJECT,
                              G_IMPLEMENT_INTERFACE(G_TYPE_LIST_MODEL, model_init))
static void shim_list_class_init(ShimListClass *type) { (void)type; }
static void shim_list_init(ShimList *list) { (void)list; }

GListModel *shim_list_new(void) { return G_LIST_MODEL(g_object_new(SHIM_TYPE_LIST, NULL)); }

void shim_list_splice(GListModel *list, guint position, guint removed, guint added) {
  SHIM_LIST(list)->count += added - removed;
  g_list_model_items_changed(list, position, removed, added);
}
