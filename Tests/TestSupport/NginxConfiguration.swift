import Glibc

/// The configuration file of a ``NginxServer``; everything it writes is inside its folder.
struct NginxConfiguration {
  let options: NginxServer.Options
  let folder: String
  let port: Int

  var text: String {
    """
    \(user)
    daemon off;
    master_process \(options.hasMaster ? "on" : "off");
    worker_processes 1;
    pid \(folder)/nginx.pid;
    lock_file \(folder)/nginx.lock;
    error_log stderr notice;
    events { worker_connections 1024; }
    http {
      log_format connections '$connection $server_protocol $status $uri';
      access_log \(options.logsRequests ? "\(folder)/access.log connections" : "off");
      client_body_temp_path \(folder)/body;
      proxy_temp_path \(folder)/proxy;
      fastcgi_temp_path \(folder)/fastcgi;
      uwsgi_temp_path \(folder)/uwsgi;
      scgi_temp_path \(folder)/scgi;
      types { application/json json; }
      sendfile on;
      tcp_nopush on;
      open_file_cache max=100;
      keepalive_timeout 60s;
      keepalive_requests \(options.keepaliveRequests);
      server {
        listen 127.0.0.1:\(port)\(options.isSecure ? " ssl http2" : "");
        \(options.isSecure ? certificate : "")
        root \(options.root ?? "\(folder)/files");
        location ~ ^/api[.]xro/2[.]0/(?<list>[A-Za-z]+)$ {
          if ($http_if_modified_since) { rewrite ^ /$list-$arg_pageSize-0.json last; }
          rewrite ^ /$list-$arg_pageSize-$arg_page.json last;
        }
        location = /plain/invoices {
          if ($arg_updated_since) { rewrite ^ /plain-$arg_per_page-0.json last; }
          rewrite ^ /plain-$arg_per_page-$arg_page.json last;
        }
        location = /connections { rewrite ^ /connections.json last; }
        location /slow/ { alias \(folder)/files/; limit_rate \(options.slowRate); }
      }
    }

    """
  }

  /// A worker of root's would become another user, who may not look into the folder.
  private var user: String { geteuid() == 0 ? "user root root;" : "" }

  private var certificate: String {
    """
    ssl_certificate \(folder)/certificate.pem;
        ssl_certificate_key \(folder)/key.pem;
    """
  }
}
