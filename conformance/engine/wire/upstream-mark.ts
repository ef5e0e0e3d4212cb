/**
 * A mark in the error texts that the kit gives in the place of the EHR server. Where a client gets the mark,
 * the authorization server has passed on a text of the EHR server.
 */
export const UPSTREAM_MARK = 'said-by-the-ehr-server-4711';
