// Drives the window as a user does: sign-in, sync, list, search, live change, stop, close.
// Usage: test APPCORE APPCORE-SANDBOX INVOICES URL, with the configuration of a sandbox.
#include <QApplication>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QProcess>
#include <QTest>

#include "window.h"

namespace {
constexpr int patience = 300'000;

void require(bool condition, const char *what, const Window &window) {
  if (condition) return;
  qCritical("qt: failed: %s; the window says: %s", what, qPrintable(window.message.text()));
  std::exit(1);
}

template <typename Condition>
void becomes(const char *what, const Window &window, Condition condition) {
  require(QTest::qWaitFor(condition, patience), what, window);
}

void press(Window &window, QPushButton &button) {
  require(button.isVisible() && button.isEnabled(), "the button can be pressed", window);
  QTest::mouseClick(&button, Qt::LeftButton);
}
}  // namespace

int main(int argc, char **argv) {
  QApplication application(argc, argv);
  if (argc != 5) return 64;
  const QString program = argv[1], sandbox = argv[2], server = argv[4];
  const int invoices = QByteArray(argv[3]).toInt();

  Core core;
  Window window(core);
  window.openPage = [&](const QUrl &url) {
    QProcess::startDetached(sandbox, {"approve", url.toString(QUrl::FullyEncoded)});
  };
  window.resize(900, 600);
  window.show();
  require(QTest::qWaitForWindowExposed(&window), "the window is shown", window);
  const auto *list = window.table.model();

  press(window, window.sync);
  becomes("a sync needs a login", window,
          [&] { return window.message.text().contains("appcore login"); });
  press(window, window.signIn);
  becomes("the user signs in", window, [&] { return window.message.text() == "Signed in"; });

  press(window, window.sync);
  becomes("the sync ends", window,
          [&] { return window.message.text() == QString("%1 new").arg(invoices); });
  becomes("the list follows the sync", window, [&] { return list->rowCount() > invoices / 2; });
  const int all = list->rowCount();
  for (int row = 0; row < all; row += 50) {
    require(!list->index(row, 0).data().toString().isEmpty(), "every row has a due date", window);
  }

  const auto number = list->index(0, 1).data().toString();
  QTest::keyClicks(&window.search, number);
  require(list->rowCount() > 0 && list->rowCount() < all, "the search finds few", window);
  require(list->index(0, 1).data() == number, "the search finds the right one", window);
  window.search.clear();
  require(list->rowCount() == all, "the list is whole again", window);

  QNetworkAccessManager network;
  const auto post = [&](const QString &path, const QByteArray &body) {
    QNetworkRequest request(QUrl(server + path));
    request.setHeader(QNetworkRequest::ContentTypeHeader, "application/json");
    auto *reply = network.post(request, body);
    becomes("the sandbox replies", window, [&] { return reply->isFinished(); });
    require(reply->error() == QNetworkReply::NoError, "the sandbox accepts it", window);
    reply->deleteLater();
  };
  post("/_sandbox/invoices/add?count=3", {});
  QProcess::startDetached(program, {"sync", "invoices", "--quiet"});
  becomes("the list follows another process", window,
          [&] { return list->rowCount() == all + 3; });

  post("/_sandbox/faults",
       R"({"path":"/api.xro/2.0/Invoices","kind":"delay","delayMilliseconds":3600000})");
  press(window, window.sync);
  becomes("the sync goes on", window, [&] { return window.sync.text() == "Stop"; });
  press(window, window.sync);
  becomes("the sync stops", window, [&] { return window.message.text() == "Stopped"; });
  window.close();
  return 0;
}
