//! Signs in, syncs, and downloads invoices beside the sync, over a session of its own.
//! Usage: documents CONFIG FOLDER (an absolute path); $BROWSER opens the page of the sign-in.

mod appcore;

use appcore::{Core, Error, Event};
use std::sync::Arc;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if arguments.len() != 3 {
        eprintln!("Usage: documents CONFIG FOLDER; the folder is an absolute path");
        std::process::exit(64);
    }
    if let Err(error) = run(&arguments[1], &arguments[2]) {
        eprintln!("{error}. {}", error.hint.as_deref().unwrap_or(""));
        std::process::exit(error.kind);
    }
}

fn run(config: &str, folder: &str) -> Result<(), Error> {
    let core = Core::open(Some(config), None)?;
    let first = core.sync(None, "invoices", None)?;
    if let Err(error) = finish(&core, first) {
        if error.kind != appcore::SIGN_IN_REQUIRED {
            return Err(error);
        }
        let request = core.sign_in(None, None)?;
        finish(&core, request)?;
        let again = core.sync(None, "invoices", None)?;
        finish(&core, again)?;
    }

    // What the user's file states goes before these values.
    let values = r#"{"timeout": {"request": "300s"}, "concurrency": 2}"#;
    let documents = core.session("documents", Some(values))?;
    let sync = core.sync(None, "invoices", Some(r#"{"full": true}"#))?;
    let mut running = 1;
    for (number, id) in ids(&core.invoices(Some(r#"{"limit": 10}"#))?).iter().enumerate() {
        // A real program writes texts of users with a JSON library.
        let headers = r#"{"Accept": "application/json"}"#;
        let options = format!(r#"{{"to": "{folder}/{number}", "headers": {headers}}}"#);
        documents.send(None, &format!("api.xro/2.0/Invoices/{id}"), Some(&options))?;
        running += 1;
    }
    let mut files = 0;
    while running > 0 {
        let Some(event) = core.next_event(-1)? else { continue };
        if event.kind == appcore::EVENT_RESPONSE {
            files += 1;
        }
        if event.is_last() {
            running -= 1;
            let what = if event.request == sync { "the sync" } else { "a download" };
            if let Some(error) = event.error {
                eprintln!("{what} ended: {error}");
            }
        }
    }
    println!("{files} files beside a sync");
    misuse(core);
    Ok(())
}

/// Takes the events of the only request under way.
fn finish(core: &Core, request: u64) -> Result<(), Error> {
    loop {
        let Some(event) = core.next_event(-1)? else { continue };
        assert_eq!(event.request, request);
        if event.kind == appcore::EVENT_OPEN_URL {
            open(&event);
        }
        if event.is_last() {
            return event.error.map_or(Ok(()), Err);
        }
    }
}

fn open(event: &Event) {
    let page = member(&event.json, "url");
    let browser = std::env::var("BROWSER").expect("BROWSER names no program");
    let status = std::process::Command::new(browser).arg(page).status();
    assert!(status.is_ok_and(|status| status.success()));
}

/// Returns the first text of a name. A real program uses a JSON library.
fn member<'json>(json: &'json str, name: &str) -> &'json str {
    let key = format!("\"{name}\":\"");
    let start = json.find(&key).expect("the document has the member") + key.len();
    &json[start..start + json[start..].find('"').expect("a text ends")]
}

fn ids(page: &str) -> Vec<&str> {
    // The id of an invoice comes before its number; a contact has an id as well.
    let parts: Vec<&str> = page.split("\",\"number\":").collect();
    parts[..parts.len() - 1]
        .iter()
        .map(|part| &part[part.rfind('"').expect("an id is a text") + 1..])
        .collect()
}

/// Errors are values, threads share a core, and closing it comes after they have ended.
fn misuse(core: Core) {
    let error = core.session("a/b", None).err().expect("the name is refused");
    assert_eq!((error.kind, error.code.as_str()), (appcore::MISUSE, "bad-argument"));
    assert!(core.sync(None, "invoi\0ces", None).is_err());
    let core = Arc::new(core);
    let waiting = Arc::clone(&core);
    let thread = std::thread::spawn(move || waiting.next_event(50).map(|event| event.is_none()));
    assert!(thread.join().expect("the thread ends").expect("the core is open"));
    Arc::into_inner(core).expect("nobody else has it").close().expect("it closes in order");
}
