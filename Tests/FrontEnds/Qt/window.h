#pragma once
#include <QAbstractTableModel>
#include <QCache>
#include <QDesktopServices>
#include <QHeaderView>
#include <QJsonArray>
#include <QLabel>
#include <QLineEdit>
#include <QMainWindow>
#include <QProgressBar>
#include <QPushButton>
#include <QStatusBar>
#include <QTableView>
#include <QToolBar>
#include <QUrl>

#include "core.h"

// The invoices that a search finds, read from the database a page at a time.
class InvoiceModel : public QAbstractTableModel {
 public:
  explicit InvoiceModel(Core &core) : core(core) { find({}); }

  // Shows what the database holds now.
  void find(const QString &words) {
    beginResetModel();
    search = words;
    pages.clear();
    rows = core.count(query());
    endResetModel();
  }

  void reload() { find(search); }

  int rowCount(const QModelIndex &parent = {}) const override {
    return parent.isValid() ? 0 : rows;
  }
  int columnCount(const QModelIndex & = {}) const override { return int(columns.size()); }

  QVariant headerData(int section, Qt::Orientation orientation, int role) const override {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    return columns[section];
  }

  QVariant data(const QModelIndex &index, int role) const override {
    if (role != Qt::DisplayRole) return {};
    const auto invoice = page(index.row() / pageSize).at(index.row() % pageSize).toObject();
    // Amounts are decimal strings: a double would change them.
    return invoice[columns[index.column()]].toString();
  }

 private:
  static constexpr int pageSize = 100;

  QJsonObject query() const { return {{"search", search}}; }

  const QJsonArray &page(int number) const {
    if (!pages.contains(number)) {
      auto query = this->query();
      query["offset"] = qint64(number) * pageSize;
      query["limit"] = pageSize;
      const auto document = core.read([&](auto *core, char **json, auto **error) {
        return appcore_invoices(core, Core::json(query), json, error);
      });
      pages.insert(number, new QJsonArray(document["invoices"].toArray()));
    }
    return *pages.object(number);
  }

  Core &core;
  QString search;
  int rows = 0;
  mutable QCache<int, QJsonArray> pages;
  const QStringList columns{"dueDate", "number", "status", "amountDue", "currency"};
};

// A window with a search, a list that follows the database, and a sync that can be stopped.
class Window : public QMainWindow {
 public:
  explicit Window(Core &core) : core(core), invoices(core) {
    auto *bar = addToolBar("Invoices");
    bar->addWidget(&search);
    bar->addWidget(&signIn);
    bar->addWidget(&sync);
    search.setPlaceholderText("Search");
    table.setModel(&invoices);
    setCentralWidget(&table);
    progress.hide();
    statusBar()->addWidget(&message);
    statusBar()->addPermanentWidget(&progress);
    connect(&search, &QLineEdit::textChanged, this, [this](auto words) { invoices.find(words); });
    connect(&signIn, &QPushButton::clicked, this, &Window::startSignIn);
    connect(&sync, &QPushButton::clicked, this, &Window::startOrStopSync);
    core.onFailure = [this](const QString &text) { message.setText(text); };
    core.start(appcore_watch, [this](int type, auto) {
      if (type == APPCORE_EVENT_CHANGED) invoices.reload();
    });
  }

  std::function<void(const QUrl &)> openPage = [](const QUrl &url) {
    QDesktopServices::openUrl(url);
  };

  QLineEdit search;
  QPushButton signIn{"Sign in"};
  QPushButton sync{"Sync"};
  QLabel message;
  QTableView table;

 private:
  void startSignIn() {
    const auto start = [](auto *core, auto *request, auto **error) {
      return appcore_sign_in(core, nullptr, nullptr, request, error);
    };
    core.start(start, [this](int type, const QJsonObject &document) {
      if (type == APPCORE_EVENT_OPEN_URL) openPage(QUrl(document["url"].toString()));
      if (type == APPCORE_EVENT_SIGNED_IN) message.setText("Signed in");
    });
  }

  void startOrStopSync() {
    if (running != 0) return core.cancel(running);
    const auto start = [](auto *core, auto *request, auto **error) {
      return appcore_sync(core, nullptr, "invoices", nullptr, request, error);
    };
    showSync(core.start(start, [this](int type, const QJsonObject &document) {
      if (type == APPCORE_EVENT_PROGRESS) {
        progress.setMaximum(document["total"].toInt());
        progress.setValue(document["position"].toInt());
      }
      if (type == APPCORE_EVENT_REPORT) {
        message.setText(QString("%1 new").arg(document["inserted"].toInt()));
      }
      if (type == APPCORE_EVENT_CANCELLED) message.setText("Stopped");
      if (APPCORE_EVENT_IS_LAST(type)) showSync(0);
    }));
  }

  void showSync(appcore_request request) {
    running = request;
    sync.setText(running == 0 ? "Sync" : "Stop");
    progress.setVisible(running != 0);
  }

  Core &core;
  InvoiceModel invoices;
  QProgressBar progress;
  appcore_request running = 0;
};
