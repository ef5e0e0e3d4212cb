/** The addresses of the servers in the page. `.invalid` is no domain, so that nothing could be sent there. */
export const AUTH_URL = 'http://auth.invalid';
export const EHR_URL = 'http://ehr.invalid';
export const INTERNAL_URL = 'http://ehr-internal.invalid';
export const OUTBOX_URL = 'http://outbox.invalid';

export const API_VERSION = '1.0-alpha';
