/**
 * The name and password with which the authorization servers of the self-test call the EHR server. The
 * self-test shows that each check of the kit finds the defects that it must find.
 */

/** Has a letter beyond ASCII, to show a wrong encoding, and blanks at its ends, to show their loss. */
export const SELF_TEST_PASSWORD = ' self-test-pässword ';

/** Has a letter beyond ASCII, so that a Content-Length in characters, not bytes, cuts the body short. */
export const SELF_TEST_USER = 'auth-sërver';
