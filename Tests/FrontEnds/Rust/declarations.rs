// The declarations of appcore.h. Recorded by declarations --record.
#![allow(non_camel_case_types, dead_code)]

use std::ffi::{c_char, c_int};

pub const APPCORE_INTERFACE_VERSION: c_int = 2;
pub const APPCORE_OK: c_int = 0;
pub const APPCORE_FAILED: c_int = 1;
pub const APPCORE_MISUSE: c_int = 64;
pub const APPCORE_UNREADABLE_DATA: c_int = 65;
pub const APPCORE_UNAVAILABLE: c_int = 69;
pub const APPCORE_BUG: c_int = 70;
pub const APPCORE_INPUT_OUTPUT: c_int = 74;
pub const APPCORE_TRY_AGAIN: c_int = 75;
pub const APPCORE_SIGN_IN_REQUIRED: c_int = 77;
pub const APPCORE_CONFIGURATION: c_int = 78;
pub const APPCORE_CANCELLED: c_int = 130;
pub const APPCORE_EVENT_PROGRESS: c_int = 1;
pub const APPCORE_EVENT_REPORT: c_int = 2;
pub const APPCORE_EVENT_OPEN_URL: c_int = 3;
pub const APPCORE_EVENT_DEVICE_CODE: c_int = 4;
pub const APPCORE_EVENT_SIGNED_IN: c_int = 5;
pub const APPCORE_EVENT_SIGNED_OUT: c_int = 6;
pub const APPCORE_EVENT_STATUS: c_int = 7;
pub const APPCORE_EVENT_ORGANISATIONS: c_int = 8;
pub const APPCORE_EVENT_CHANGED: c_int = 9;
pub const APPCORE_EVENT_TRANSFER: c_int = 10;
pub const APPCORE_EVENT_RESPONSE: c_int = 11;
pub const APPCORE_EVENT_LOG: c_int = 12;
pub const APPCORE_EVENT_DOCUMENT_PROGRESS: c_int = 13;
pub const APPCORE_EVENT_DOCUMENT_REPORT: c_int = 14;
pub const APPCORE_EVENT_DOCUMENT_EXPORT: c_int = 15;
pub const APPCORE_EVENT_DONE: c_int = 100;
pub const APPCORE_EVENT_FAILED: c_int = 101;
pub const APPCORE_EVENT_CANCELLED: c_int = 102;

#[repr(C)]
pub struct appcore_t {
    _private: [u8; 0],
}

#[repr(C)]
pub struct appcore_error {
    pub kind: c_int,
    pub retryable: c_int,
    pub code: *const c_char,
    pub message: *const c_char,
    pub hint: *const c_char,
    pub provider_message: *const c_char,
}

#[repr(C)]
pub struct appcore_event {
    pub r#type: c_int,
    pub request: u64,
    pub json: *const c_char,
    pub error: *const appcore_error,
}

unsafe extern "C" {
    pub fn appcore_error_free(error: *mut appcore_error);
    pub fn appcore_string_free(text: *mut c_char);
    pub fn appcore_version() -> *const c_char;
    pub fn appcore_interface_version() -> c_int;
    pub fn appcore_open(
        config: *const c_char,
        options: *const c_char,
        core: *mut *mut appcore_t,
        error: *mut *mut appcore_error,
    ) -> c_int;
    pub fn appcore_close(core: *mut appcore_t, error: *mut *mut appcore_error) -> c_int;
    pub fn appcore_event_is_last(r#type: c_int) -> c_int;
    pub fn appcore_event_free(event: *mut appcore_event);
    pub fn appcore_next_request(core: *mut appcore_t) -> u64;
    pub fn appcore_event_fd(core: *mut appcore_t) -> c_int;
    pub fn appcore_next_event(
        core: *mut appcore_t,
        timeout_ms: c_int,
        event: *mut *mut appcore_event,
        error: *mut *mut appcore_error,
    ) -> c_int;
    pub fn appcore_cancel(
        core: *mut appcore_t,
        request: u64,
        error: *mut *mut appcore_error,
    ) -> c_int;
    pub fn appcore_sign_in(
        core: *mut appcore_t,
        account: *const c_char,
        options: *const c_char,
        request: *mut u64,
        error: *mut *mut appcore_error,
    ) -> c_int;
    pub fn appcore_paste_redirect(
        core: *mut appcore_t,
        request: u64,
        address: *const c_char,
        error: *mut *mut appcore_error,
    ) -> c_int;
    pub fn appcore_sign_out(
        core: *mut appcore_t,
        account: *const c_char,
        options: *const c_char,
        request: *mut u64,
        error: *mut *mut appcore_error,
    ) -> c_int;
    pub fn appcore_status(
        core: *mut appcore_t,
        account: *const c_char,
        request: *mut u64,
        error: *mut *mut appcore_error,
    ) -> c_int;
    pub fn appcore_organisations(
        core: *mut appcore_t,
        account: *const c_char,
        request: *mut u64,
        error: *mut *mut appcore_error,
    ) -> c_int;
    pub fn appcore_choose_organisation(
        core: *mut appcore_t,
        account: *const c_char,
        organisation: *const c_char,
        request: *mut u64,
        error: *mut *mut appcore_error,
    ) -> c_int;
    pub fn appcore_providers(
        core: *mut appcore_t,
        json: *mut *mut c_char,
        error: *mut *mut appcore_error,
    ) -> c_int;
    pub fn appcore_sign_in_ways(
        core: *mut appcore_t,
        account: *const c_char,
        json: *mut *mut c_char,
        error: *mut *mut appcore_error,
    ) -> c_int;
    pub fn appcore_add_account(
        core: *mut appcore_t,
        account: *const c_char,
        options: *const c_char,
        json: *mut *mut c_char,
        error: *mut *mut appcore_error,
    ) -> c_int;
    pub fn appcore_rename_account(
        core: *mut appcore_t,
        account: *const c_char,
        name: *const c_char,
        request: *mut u64,
        error: *mut *mut appcore_error,
    ) -> c_int;
    pub fn appcore_remove_account(
        core: *mut appcore_t,
        account: *const c_char,
        options: *const c_char,
        request: *mut u64,
        error: *mut *mut appcore_error,
    ) -> c_int;
    pub fn appcore_sync(
        core: *mut appcore_t,
        account: *const c_char,
        resource: *const c_char,
        options: *const c_char,
        request: *mut u64,
        error: *mut *mut appcore_error,
    ) -> c_int;
    pub fn appcore_documents(
        core: *mut appcore_t,
        query: *const c_char,
        json: *mut *mut c_char,
        error: *mut *mut appcore_error,
    ) -> c_int;
    pub fn appcore_fetch_documents(
        core: *mut appcore_t,
        account: *const c_char,
        options: *const c_char,
        request: *mut u64,
        error: *mut *mut appcore_error,
    ) -> c_int;
    pub fn appcore_export_documents(
        core: *mut appcore_t,
        account: *const c_char,
        options: *const c_char,
        request: *mut u64,
        error: *mut *mut appcore_error,
    ) -> c_int;
    pub fn appcore_session(
        core: *mut appcore_t,
        module: *const c_char,
        options: *const c_char,
        error: *mut *mut appcore_error,
    ) -> c_int;
    pub fn appcore_send(
        core: *mut appcore_t,
        account: *const c_char,
        module: *const c_char,
        address: *const c_char,
        options: *const c_char,
        request: *mut u64,
        error: *mut *mut appcore_error,
    ) -> c_int;
    pub fn appcore_cancel_session(
        core: *mut appcore_t,
        module: *const c_char,
        error: *mut *mut appcore_error,
    ) -> c_int;
    pub fn appcore_watch(
        core: *mut appcore_t,
        request: *mut u64,
        error: *mut *mut appcore_error,
    ) -> c_int;
    pub fn appcore_invoices(
        core: *mut appcore_t,
        query: *const c_char,
        json: *mut *mut c_char,
        error: *mut *mut appcore_error,
    ) -> c_int;
    pub fn appcore_invoice_count(
        core: *mut appcore_t,
        query: *const c_char,
        count: *mut i64,
        error: *mut *mut appcore_error,
    ) -> c_int;
    pub fn appcore_invoice(
        core: *mut appcore_t,
        account: *const c_char,
        id: *const c_char,
        json: *mut *mut c_char,
        error: *mut *mut appcore_error,
    ) -> c_int;
    pub fn appcore_invoice_summary(
        core: *mut appcore_t,
        query: *const c_char,
        by: *const c_char,
        json: *mut *mut c_char,
        error: *mut *mut appcore_error,
    ) -> c_int;
    pub fn appcore_contacts(
        core: *mut appcore_t,
        query: *const c_char,
        json: *mut *mut c_char,
        error: *mut *mut appcore_error,
    ) -> c_int;
    pub fn appcore_contact_count(
        core: *mut appcore_t,
        query: *const c_char,
        count: *mut i64,
        error: *mut *mut appcore_error,
    ) -> c_int;
    pub fn appcore_contact(
        core: *mut appcore_t,
        account: *const c_char,
        name: *const c_char,
        json: *mut *mut c_char,
        error: *mut *mut appcore_error,
    ) -> c_int;
    pub fn appcore_payments(
        core: *mut appcore_t,
        query: *const c_char,
        json: *mut *mut c_char,
        error: *mut *mut appcore_error,
    ) -> c_int;
    pub fn appcore_payment_count(
        core: *mut appcore_t,
        query: *const c_char,
        count: *mut i64,
        error: *mut *mut appcore_error,
    ) -> c_int;
    pub fn appcore_payment(
        core: *mut appcore_t,
        account: *const c_char,
        id: *const c_char,
        json: *mut *mut c_char,
        error: *mut *mut appcore_error,
    ) -> c_int;
    pub fn appcore_changes(
        core: *mut appcore_t,
        query: *const c_char,
        json: *mut *mut c_char,
        error: *mut *mut appcore_error,
    ) -> c_int;
    pub fn appcore_cancel_reading(
        core: *mut appcore_t,
        reading: *const c_char,
        error: *mut *mut appcore_error,
    ) -> c_int;
}
