/**
 * Keeps zod from probing for `eval`, which the page's content security policy forbids and reports. Must be
 * imported before any schema is created.
 */
import { config } from 'zod';

config({ jitless: true });
