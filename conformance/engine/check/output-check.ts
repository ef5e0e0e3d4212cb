/** Makes the check of a server's role that the output of the server has neither secrets nor patient data. */
import { outputFound, SERVER_OUTPUT } from '../journal/output-watch.ts';
import type { Check } from './check.ts';
import { type Rule, rule } from './rule.ts';

type OfRole = Pick<Rule<never>, 'requirements' | 'scenarios' | 'party'>;

export const outputCheck = (ofRole: OfRole): Check =>
  rule({
    ...ofRole,
    id: 'no-secrets-in-output',
    title: 'The output of the server has no secrets and no data of patients',
    of: (journal) => journal.observationsOf(SERVER_OUTPUT),
    nothing: { notApplicable: 'the kit did not start the server, so that it cannot read its output' },
    judge(notes) {
      const found = [...outputFound(notes)];
      if (found.length === 0) return undefined;
      const kinds = found.map(([kind, count]) => `${kind} (${count === 1 ? 'once' : `${count} times`})`);
      const shownBy = notes.filter(({ values }) => Object.keys(values).length > 0);
      const actual = `its standard output or standard error has ${kinds.join(', ')}`;
      return { expected: 'an output without secrets and without data of patients', actual, shownBy };
    },
    advice:
      'Log the method, the outcome and the number of the error alone: leave out messages, bodies and start parameters.',
  });
