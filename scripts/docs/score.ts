/**
 * The score of the self-test in the README. It is taken from the file of the self-test, and refused when the
 * catalogue has changed since.
 */
import { z } from 'zod';
import { type Kit, ofShape } from './kit.ts';

export const SCORE_FILE = 'conformance/roles/auth-server/self-test/score.json';
export const EHR_SCORE_FILE = 'conformance/roles/ehr-server/self-test/score.json';
export const CLIENT_SCORE_FILE = 'conformance/roles/client/self-test/score.json';

const scoreSchema = z.object({
  seed: z.int(),
  sentence: z.string(),
  rows: z.object({
    reference: z.record(z.string(), z.boolean()),
    defect: z.record(z.string(), z.boolean()),
    harmless: z.record(z.string(), z.boolean()),
  }),
});
type Score = z.output<typeof scoreSchema>;

const BEGIN = '<!-- Written by `npm run docs`: the kit in numbers. -->';
const END = '<!-- End of what `npm run docs` writes. -->';
const AGAIN: Readonly<Record<string, string>> = {
  [SCORE_FILE]: `Please run npm run conformance -- self-test --json ${SCORE_FILE}, then npm run docs.`,
  [EHR_SCORE_FILE]: `Please run npm run conformance -- self-test --role ehr-server --json ${EHR_SCORE_FILE}, then npm run docs.`,
  [CLIENT_SCORE_FILE]: `Please run npm run conformance -- self-test --role client --json ${CLIENT_SCORE_FILE}, then npm run docs.`,
};

/** Tells whether a page has a place for the numbers. */
export function hasScorePlace(text: string): boolean {
  return text.includes(BEGIN) && text.indexOf(END) > text.indexOf(BEGIN);
}

/** The texts of the score files, by role. */
export type ScoreTexts = { auth: string; ehr: string; client: string };

/** Returns the README with the numbers between its markers. */
export function withScore(readme: string, kit: Kit, scores: ScoreTexts): string {
  const before = readme.slice(0, readme.indexOf(BEGIN) + BEGIN.length);
  const after = readme.slice(readme.indexOf(END));
  return `${before}\n${paragraphs(kit, scores)}\n${after}`;
}

type Variants = Pick<Kit, 'defects' | 'harmless'>;

/** Lists what makes the score untrue, one sentence each: a missing score, or one of another catalogue. */
export function scoreProblems(kit: Variants, scoreText: string, file = SCORE_FILE): string[] {
  const score = readScore(scoreText);
  if (!score) return [`${file} is missing or is no score. ${AGAIN[file]}`];
  const { rows } = score;
  return (['defect', 'harmless'] as const).flatMap((kind) => {
    const wanted = (kind === 'defect' ? kit.defects : kit.harmless).map(({ id }) => id);
    const missing = wanted.filter((id) => !Object.hasOwn(rows[kind], id));
    const gone = Object.keys(rows[kind]).filter((id) => !wanted.includes(id));
    return [
      ...missing.map((id) => `${file} lacks the ${kind} variant ${id}. ${AGAIN[file]}`),
      ...gone.map((id) => `${file} has the ${kind} variant ${id}, which is no longer there. ${AGAIN[file]}`),
    ];
  });
}

/**
 * Returns, for each shape, how many defects and harmless variants it has, and how many had the right outcome.
 * Undefined without a score.
 */
export function scoreByShape(kit: Kit, scoreText: string) {
  const score = readScore(scoreText);
  const asTheyMustBe = (kind: 'defect' | 'harmless', rows: readonly { id: string }[]) =>
    score && rows.filter(({ id }) => score.rows[kind][id]).length;
  return kit.shapes.map(({ id, title }) => {
    const [defects, harmless] = [ofShape(kit, id, kit.defects), ofShape(kit, id, kit.harmless)];
    return {
      id,
      title,
      defects: defects.length,
      found: asTheyMustBe('defect', defects),
      harmless: harmless.length,
      unharmed: asTheyMustBe('harmless', harmless),
    };
  });
}

/** Returns the sentence of a score with its seed; undefined where there is no score. */
export function scoreSentence(scoreText: string): string | undefined {
  const score = readScore(scoreText);
  return score && `The last self-test (seed ${score.seed}): ${score.sentence}`;
}

function readScore(text: string): Score | undefined {
  try {
    return scoreSchema.parse(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return undefined;
    throw error;
  }
}

function paragraphs(kit: Kit, scores: ScoreTexts): string {
  return [
    paragraph(kit, { text: scores.auth, party: 'authorization server', page: 'checks.md', anchors: AUTH_ANCHORS }),
    ...(kit.ehr
      ? [
          paragraph(kit.ehr, {
            text: scores.ehr,
            party: 'EHR server',
            page: 'checks-ehr-server.md',
            anchors: EHR_ANCHORS,
          }),
        ]
      : []),
    ...(kit.client
      ? [
          paragraph(kit.client, {
            text: scores.client,
            party: 'client',
            page: 'checks-client.md',
            anchors: CLIENT_ANCHORS,
          }),
        ]
      : []),
  ].join('\n\n');
}

type Anchors = { defects: string; harmless: string };
const AUTH_ANCHORS: Anchors = { defects: 'defects', harmless: 'harmless-variants' };
const EHR_ANCHORS: Anchors = {
  defects: 'defects-of-an-ehr-server',
  harmless: 'harmless-variants-of-an-ehr-server',
};
const CLIENT_ANCHORS: Anchors = { defects: 'defects-of-a-client', harmless: 'harmless-variants-of-a-client' };

type Told = { text: string; party: string; page: string; anchors: Anchors };

/** The numbers of one role, with the sentence of its last self-test. */
function paragraph(
  { checks, scenarios, defects, harmless }: Pick<Kit, 'checks' | 'scenarios' | 'defects' | 'harmless'>,
  { text, party, page, anchors }: Told,
): string {
  const score = readScore(text);
  const counts = `**Of ${party === 'client' ? 'a' : 'an'} ${party}:** ${checks.length} [checks](docs/${page}) in ${scenarios.length} scenarios, proven on ${defects.length} [programs with one defect each](docs/defects.md#${anchors.defects}) and ${harmless.length} [harmless variants](docs/defects.md#${anchors.harmless}).`;
  if (!score) return counts;
  const bad = Object.values(score.rows).flatMap((rows) => Object.keys(rows).filter((id) => !rows[id]));
  const open = bad.length === 0 ? '' : ` Not as they must be: ${bad.map((id) => `\`${id}\``).join(', ')}.`;
  return `${counts} The last self-test (seed ${score.seed}): ${score.sentence}${open}`;
}
