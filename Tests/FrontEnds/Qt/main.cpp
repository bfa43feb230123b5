#include <QApplication>
#include <QMessageBox>

#include "window.h"

int main(int argc, char **argv) {
  QApplication application(argc, argv);
  try {
    Core core;
    Window window(core);
    window.resize(900, 600);
    window.show();
    return application.exec();
  } catch (const std::runtime_error &error) {
    QMessageBox::critical(nullptr, "Invoices", error.what());
    return 1;
  }
}
