//! A safe layer over libappcore. Every unsafe block is in this file.
//!
//! - Any thread may call any function, so a `Core` may be shared. Closing takes the `Core` itself,
//!   because the descriptor of its events ends with it: wake threads that wait, and join them, first.
//! - What the library returns is copied into Rust's own values and freed at once.
//! - A text with a zero byte is refused here, since C would see its beginning only.
//! - Options go in as JSON objects, and results come out as JSON documents.

#![allow(dead_code, unused_imports)]

#[path = "declarations.rs"]
mod c;

use std::ffi::{CStr, CString, c_char, c_int};
use std::os::fd::{AsFd, BorrowedFd};
use std::{fmt, ptr};

pub use c::{
    APPCORE_CANCELLED as CANCELLED, APPCORE_EVENT_CANCELLED as EVENT_CANCELLED,
    APPCORE_EVENT_DONE as EVENT_DONE, APPCORE_EVENT_FAILED as EVENT_FAILED,
    APPCORE_EVENT_OPEN_URL as EVENT_OPEN_URL, APPCORE_EVENT_PROGRESS as EVENT_PROGRESS,
    APPCORE_EVENT_REPORT as EVENT_REPORT, APPCORE_EVENT_RESPONSE as EVENT_RESPONSE,
    APPCORE_EVENT_TRANSFER as EVENT_TRANSFER, APPCORE_MISUSE as MISUSE,
    APPCORE_SIGN_IN_REQUIRED as SIGN_IN_REQUIRED,
};

/// An error of the library. A program decides by `kind` and `code`, and shows the texts.
#[derive(Debug, Clone)]
pub struct Error {
    pub kind: i32,
    pub is_retryable: bool,
    pub code: String,
    pub message: String,
    pub hint: Option<String>,
    pub provider_message: Option<String>,
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.message)
    }
}

impl std::error::Error for Error {}

impl Error {
    fn bad_text() -> Error {
        Error {
            kind: MISUSE,
            is_retryable: false,
            code: "bad-text".into(),
            message: "a text has a zero byte".into(),
            hint: None,
            provider_message: None,
        }
    }

    /// Copies an error of the library.
    ///
    /// # Safety
    /// The pointer is NULL, or an error that was not freed.
    unsafe fn copied(error: *const c::appcore_error) -> Option<Error> {
        let error = unsafe { error.as_ref() }?;
        unsafe {
            Some(Error {
                kind: error.kind,
                is_retryable: error.retryable != 0,
                code: text(error.code).unwrap_or_default(),
                message: text(error.message).unwrap_or_default(),
                hint: text(error.hint),
                provider_message: text(error.provider_message),
            })
        }
    }
}

/// An event of a request.
#[derive(Debug, Clone)]
pub struct Event {
    pub kind: i32,
    pub request: u64,
    pub json: String,
    pub error: Option<Error>,
}

impl Event {
    /// True if it is the last of its request.
    pub fn is_last(&self) -> bool {
        self.kind >= EVENT_DONE
    }
}

/// An open core. Dropping it closes it and waits for a renewal of a login that has begun.
pub struct Core {
    handle: *mut c::appcore_t,
}

// The library says of each function that any thread may call it at any time.
unsafe impl Send for Core {}
unsafe impl Sync for Core {}

impl Core {
    /// Opens a core with a configuration file; `None` takes the user's.
    pub fn open(config: Option<&str>, options: Option<&str>) -> Result<Core, Error> {
        let (config, options) = (optional(config)?, optional(options)?);
        let mut handle = ptr::null_mut();
        checked(|error| unsafe {
            c::appcore_open(pointer(&config), pointer(&options), &mut handle, error)
        })?;
        Ok(Core { handle })
    }

    /// Closes the core, and says if a renewed login could not be stored.
    pub fn close(self) -> Result<(), Error> {
        let core = std::mem::ManuallyDrop::new(self);
        checked(|error| unsafe { c::appcore_close(core.handle, error) })
    }

    /// Returns the next event; `None` if none comes in time. -1 waits without end.
    pub fn next_event(&self, timeout_ms: i32) -> Result<Option<Event>, Error> {
        let mut event = ptr::null_mut();
        checked(|error| unsafe {
            c::appcore_next_event(self.handle, timeout_ms, &mut event, error)
        })?;
        let Some(found) = (unsafe { event.as_ref() }) else {
            return Ok(None);
        };
        let copy = Event {
            kind: found.r#type,
            request: found.request,
            json: unsafe { text(found.json) }.unwrap_or_default(),
            error: unsafe { Error::copied(found.error) },
        };
        unsafe { c::appcore_event_free(event) };
        Ok(Some(copy))
    }

    /// Starts a sign-in; its events ask the user to act.
    pub fn sign_in(&self, account: Option<&str>, options: Option<&str>) -> Result<u64, Error> {
        let (account, options) = (optional(account)?, optional(options)?);
        started(|request, error| unsafe {
            c::appcore_sign_in(self.handle, pointer(&account), pointer(&options), request, error)
        })
    }

    /// Starts a sync of `"invoices"`, `"contacts"` or `"all"`.
    pub fn sync(
        &self, account: Option<&str>, resource: &str, options: Option<&str>,
    ) -> Result<u64, Error> {
        let (account, options) = (optional(account)?, optional(options)?);
        let resource = required(resource)?;
        started(|request, error| unsafe {
            c::appcore_sync(
                self.handle, pointer(&account), resource.as_ptr(), pointer(&options), request,
                error,
            )
        })
    }

    /// Cancels a request; its last event follows.
    pub fn cancel(&self, request: u64) -> Result<(), Error> {
        checked(|error| unsafe { c::appcore_cancel(self.handle, request, error) })
    }

    /// Returns the session of a feature module, with values in the keys of the configuration file.
    pub fn session(&self, name: &str, values: Option<&str>) -> Result<Session<'_>, Error> {
        let (name, values) = (required(name)?, optional(values)?);
        checked(|error| unsafe {
            c::appcore_session(self.handle, name.as_ptr(), pointer(&values), error)
        })?;
        Ok(Session { core: self, name })
    }

    /// Returns the document of the invoices that a query finds.
    pub fn invoices(&self, query: Option<&str>) -> Result<String, Error> {
        let query = optional(query)?;
        read(|json, error| unsafe {
            c::appcore_invoices(self.handle, pointer(&query), json, error)
        })
    }

    /// Returns the number of the next request that this thread starts, for a thread that fetches
    /// events and may get one before the call that starts the request has returned.
    pub fn next_request(&self) -> u64 {
        unsafe { c::appcore_next_request(self.handle) }
    }
}

impl AsFd for Core {
    /// The descriptor that is readable while there are events. It lives as long as the core.
    fn as_fd(&self) -> BorrowedFd<'_> {
        let descriptor = unsafe { c::appcore_event_fd(self.handle) };
        assert!(descriptor >= 0, "the core is closed");
        unsafe { BorrowedFd::borrow_raw(descriptor) }
    }
}

impl Drop for Core {
    fn drop(&mut self) {
        unsafe { c::appcore_close(self.handle, ptr::null_mut()) };
    }
}

/// The session of a feature module: its own time-outs, limits and cancellation.
pub struct Session<'core> {
    core: &'core Core,
    name: CString,
}

impl Session<'_> {
    /// Starts a request to the provider's API, with the login of the account.
    pub fn send(
        &self, account: Option<&str>, address: &str, options: Option<&str>,
    ) -> Result<u64, Error> {
        let (account, options) = (optional(account)?, optional(options)?);
        let address = required(address)?;
        started(|request, error| unsafe {
            c::appcore_send(
                self.core.handle, pointer(&account), self.name.as_ptr(), address.as_ptr(),
                pointer(&options), request, error,
            )
        })
    }

    /// Cancels the requests of this module, and no other.
    pub fn cancel_all(&self) -> Result<(), Error> {
        checked(|error| unsafe {
            c::appcore_cancel_session(self.core.handle, self.name.as_ptr(), error)
        })
    }
}

/// Calls a function, and returns its error.
fn checked(call: impl FnOnce(*mut *mut c::appcore_error) -> c_int) -> Result<(), Error> {
    let mut error = ptr::null_mut();
    if call(&mut error) == c::APPCORE_OK {
        return Ok(());
    }
    let copy = unsafe { Error::copied(error) };
    unsafe { c::appcore_error_free(error) };
    Err(copy.expect("a function that fails has an error"))
}

fn started(
    call: impl FnOnce(*mut u64, *mut *mut c::appcore_error) -> c_int,
) -> Result<u64, Error> {
    let mut request = 0;
    checked(|error| call(&mut request, error))?;
    Ok(request)
}

/// Calls a function that returns a document, copies it and frees it.
fn read(
    call: impl FnOnce(*mut *mut c_char, *mut *mut c::appcore_error) -> c_int,
) -> Result<String, Error> {
    let mut json = ptr::null_mut();
    checked(|error| call(&mut json, error))?;
    let copy = unsafe { text(json) }.unwrap_or_default();
    unsafe { c::appcore_string_free(json) };
    Ok(copy)
}

fn required(text: &str) -> Result<CString, Error> {
    CString::new(text).map_err(|_| Error::bad_text())
}

fn optional(text: Option<&str>) -> Result<Option<CString>, Error> {
    text.map(required).transpose()
}

fn pointer(text: &Option<CString>) -> *const c_char {
    text.as_ref().map_or(ptr::null(), |text| text.as_ptr())
}

/// Copies a text of the library.
///
/// # Safety
/// The pointer is NULL, or a text that was not freed.
unsafe fn text(pointer: *const c_char) -> Option<String> {
    if pointer.is_null() {
        return None;
    }
    Some(unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned())
}
