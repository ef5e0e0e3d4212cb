/** Stands in what the EHR server says while it fails: where a client reads it, the text was passed on. */
export const UPSTREAM_MARK = 'said-by-the-ehr-server-4711';
