#pragma once
#include <appcore.h>

#include <QHash>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSocketNotifier>
#include <functional>
#include <stdexcept>

// An open core whose events arrive in Qt's main loop.
class Core : public QObject {
 public:
  using Handler = std::function<void(int type, const QJsonObject &document)>;
  using Start = std::function<int(appcore_t *, appcore_request *, appcore_error **)>;
  using Read = std::function<int(appcore_t *, char **, appcore_error **)>;

  // Opens the core with a configuration file, or with the user's.
  explicit Core(const char *config = nullptr) {
    appcore_error *error = nullptr;
    if (appcore_open(config, nullptr, &core, &error) != APPCORE_OK) {
      throw std::runtime_error(take(error).toStdString());
    }
    notifier = new QSocketNotifier(appcore_event_fd(core), QSocketNotifier::Read, this);
    connect(notifier, &QSocketNotifier::activated, this, &Core::fetch);
  }

  ~Core() override {
    // The descriptor belongs to the core, so nothing may wait for it any more.
    delete notifier;
    appcore_close(core, nullptr);
  }

  // Shows a failure to the user: no exception may leave a slot.
  std::function<void(const QString &)> onFailure = [](const QString &) {};

  // Starts a request. The handler receives its events, the last one included.
  appcore_request start(const Start &start, Handler handler) {
    appcore_request request = 0;
    appcore_error *error = nullptr;
    if (start(core, &request, &error) == APPCORE_OK) {
      handlers[request] = std::move(handler);
    } else {
      onFailure(take(error));
    }
    return request;
  }

  void cancel(appcore_request request) { appcore_cancel(core, request, nullptr); }

  // Reads a document from the database; it is empty after a failure.
  QJsonObject read(const Read &read) {
    char *json = nullptr;
    appcore_error *error = nullptr;
    if (read(core, &json, &error) != APPCORE_OK) onFailure(take(error));
    const auto document = QJsonDocument::fromJson(json).object();
    appcore_string_free(json);
    return document;
  }

  // Counts the invoices that a query finds.
  int count(const QJsonObject &query) {
    int64_t count = 0;
    appcore_error *error = nullptr;
    if (appcore_invoice_count(core, json(query), &count, &error) != APPCORE_OK) {
      onFailure(take(error));
    }
    return int(count);
  }

  // Returns options as the library takes them, for the time of a call.
  static QByteArray json(const QJsonObject &options) {
    return QJsonDocument(options).toJson(QJsonDocument::Compact);
  }

 private:
  static QString take(appcore_error *error) {
    const auto text = QString("%1. %2").arg(error->message, error->hint ? error->hint : "");
    appcore_error_free(error);
    return text;
  }

  // Fetches events until there is none left. A handler may start and cancel requests.
  void fetch() {
    appcore_event *event = nullptr;
    while (appcore_next_event(core, 0, &event, nullptr) == APPCORE_OK && event) {
      const auto handler = handlers.value(event->request);
      if (APPCORE_EVENT_IS_LAST(event->type)) handlers.remove(event->request);
      if (event->type == APPCORE_EVENT_FAILED) {
        onFailure(QString("%1. %2").arg(event->error->message, event->error->hint));
      }
      if (handler) handler(event->type, QJsonDocument::fromJson(event->json).object());
      appcore_event_free(event);
    }
  }

  appcore_t *core = nullptr;
  QSocketNotifier *notifier = nullptr;
  QHash<appcore_request, Handler> handlers;
};
