/** Defects of an EHR server in what it writes to its output. Their form is that of wire-defects.ts. */
import { ANY, refused } from '../../../../engine/defects/operators.ts';
import { after, before, propertiesIn } from '../changes.ts';
import { foundBy } from '../defect.ts';
import { AUTHENTICATE, RECORDS } from '../methods.ts';

export const outputDefects = foundBy({
  'no-secrets-in-output': [
    'unmatched-properties-logged: It logs the properties that fit no patient',
    after(refused(AUTHENTICATE), (turn) => {
      turn.parts.print(`nobody fits ${JSON.stringify(propertiesIn(turn))}`);
      return undefined;
    }),
    'calls-logged: It logs each call as it comes',
    before(ANY, ({ call, parts }) => {
      parts.print(JSON.stringify(call));
      return undefined;
    }),
    'replies-logged-in-base64: It logs the reply with the record in base64',
    after(RECORDS, ({ reply, parts }) => {
      parts.print(Buffer.from(JSON.stringify(reply), 'utf8').toString('base64'));
      return undefined;
    }),
    'password-logged-at-start: It logs its settings when it starts, with the internal password',
    {
      parts({ print, password }) {
        print(`settings: {"port":8080,"internalPassword":${JSON.stringify(password)}}`);
        return {};
      },
    },
  ],
});
