/** Keeps zod from probing for `eval`, which the page's content security policy forbids and reports. Imported before any schema is made. */
import { config } from 'zod';

config({ jitless: true });
