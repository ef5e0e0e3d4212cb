/** Occurs in the EHR server's error texts. A client that reads it got the text passed on. */
export const UPSTREAM_MARK = 'said-by-the-ehr-server-4711';
