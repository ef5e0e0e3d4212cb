/** Before any schema: keeps zod from probing for `eval`, which the content security policy forbids. */
import { config } from 'zod';

config({ jitless: true });
