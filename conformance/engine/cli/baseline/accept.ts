/** Learns from the user why new known failures are accepted, and until when. */
import { SettingsError } from '#service/process/command-line/settings.ts';
import { exampleDay, readDay, readReason } from '../../report/baseline/given.ts';
import type { ReportedCause } from '../../report/schema/schema.ts';
import { count, harmless } from '../../report/words.ts';
import { type Input, type Output, openAnswers } from '../init/answers.ts';

/** What the user has said already: the reason, and the last day (`YYYY-MM-DD`). */
export type Accepted = { reason?: string | undefined; day?: string | undefined };

/** Where the user answers and is asked, and the day on which that is, `YYYY-MM-DD`. */
export type AskingMeans = { input: Input; output: Output; today: string };

/**
 * Asks for what was not said yet: a reason, for all causes or for each of them, and a day.
 * @returns the text of each entry, by its check
 * @throws InitStopped when the person aborts
 */
export async function accept(
  causes: readonly Pick<ReportedCause, 'cause' | 'checks'>[],
  accepted: Accepted,
  means: AskingMeans,
): Promise<Record<string, string>> {
  const { reasons, day } =
    accepted.reason === undefined || accepted.day === undefined
      ? await askFor(causes, accepted, means)
      : { reasons: causes.map(() => accepted.reason), day: accepted.day };
  return Object.fromEntries(
    causes.flatMap(({ checks }, index) => checks.map((check) => [check, `${reasons[index]}, until ${day}`])),
  );
}

async function askFor(
  causes: readonly Pick<ReportedCause, 'cause' | 'checks'>[],
  accepted: Accepted,
  { input, output, today }: AskingMeans,
): Promise<{ reasons: string[]; day: string }> {
  const answers = openAnswers(input, output);
  /** Asks until the answer can be used. */
  const ask = async <T>(question: string, read: (answer: string) => T): Promise<T> => {
    for (;;) {
      try {
        return read((await answers.ask(question)) ?? '');
      } catch (error) {
        if (!(error instanceof SettingsError)) throw error;
        output.write(`${error.message}\n`);
      }
    }
  };
  const reasonIn = (answer: string) => readReason('The reason', answer);
  const failures = count(causes.flatMap(({ checks }) => checks).length, 'new known failure');
  const question = `The reason for ${failures} (Enter alone: another one for each cause): `;
  try {
    const reason =
      accepted.reason ?? (await ask(question, (answer) => (answer === '' ? '' : reasonIn(answer))));
    const reasons: string[] = [];
    for (const { cause, checks } of causes) {
      if (reason === '') output.write(`${harmless(cause)} (${checks.join(', ')})\n`);
      reasons.push(reason === '' ? await ask('The reason: ', reasonIn) : reason);
    }
    const day =
      accepted.day ??
      (await ask(`The last day, such as ${exampleDay(today)}: `, (answer) =>
        readDay('The last day', answer, today),
      ));
    return { reasons, day };
  } finally {
    answers.close();
  }
}
