/** The internal user and password of the self-test. */

/** Beyond ASCII, so that its encoding shows, and with blanks at both ends, so that their loss shows. */
export const SELF_TEST_PASSWORD = ' self-test-pässword ';

/** Beyond ASCII, so that a body whose length counts characters is cut short. */
export const SELF_TEST_USER = 'auth-sërver';
