/** Makes the check of a server's role that the output of the server has neither secrets nor patient data. */
import type { Party } from '../journal/entry.ts';
import { outputFound, SERVER_OUTPUT } from '../journal/output-watch.ts';
import type { Check } from './check.ts';
import { findingFrom } from './flow.ts';
import type { Judgement } from './steps.ts';

type OfRole = Pick<Check, 'requirements' | 'scenarios'> & { blame: Party };

const ADVICE =
  'Log the method, the outcome and the number of the error alone: leave out messages, bodies and start parameters.';

export const outputCheck = ({ blame, ...about }: OfRole): Check => ({
  ...about,
  id: 'no-secrets-in-output',
  title: 'The output of the server has no secrets and no data of patients',
  watchable: false,
  judge(journal) {
    const notes = journal.observationsOf(SERVER_OUTPUT);
    const found = outputFound(notes);
    const passes = () => notes.slice(0, 1);
    return findingFrom(judged(), { advice: ADVICE, blame, passes });

    function judged(): Judgement {
      if (!found)
        return { notApplicable: 'the kit did not start the server, so that it cannot read its output' };
      if (found.size === 0) return undefined;
      const kinds = [...found].map(([kind, count]) => `${kind} (${count === 1 ? 'once' : `${count} times`})`);
      const shownBy = notes.filter(({ values }) => Object.keys(values).length > 0);
      const actual = `its standard output or standard error has ${kinds.join(', ')}`;
      return { expected: 'an output without secrets and without data of patients', actual, shownBy };
    }
  },
});
