/** The section `person` of the file about a client: a person does each step, and says what is seen. */
import type { z } from 'zod';
import { host, milliseconds, section, text } from '../../../../engine/party/file/fields.ts';

export const personSchema = section({
  address: text
    .regex(/^[a-z][a-z0-9+.-]*:\/\/\S+$/i, 'must be a whole address, such as http://192.168.1.20:8080/')
    .optional()
    .describe('Where the person opens the client; shown as a QR code too'),
  host: host
    .default('127.0.0.1')
    .describe(
      'Address of this machine at which the kit listens; that of your network for a client on a phone',
    ),
  personMs: milliseconds.default(600_000).describe('How long a person may take for one step'),
});

export type PersonSettings = z.output<typeof personSchema>;
