/**
 * The scores of the self-tests. Each is taken from the file of its self-test, and refused when the catalogue
 * has changed since.
 */
import { z } from 'zod';
import { type Kit, ofShape, type RoleKit } from './kit.ts';

const scoreSchema = z.object({
  seed: z.int(),
  sentence: z.string(),
  rows: z.record(z.enum(['reference', 'defect', 'harmless']), z.record(z.string(), z.boolean())),
});
type Score = z.output<typeof scoreSchema>;

/** The scores by role; none for a role without a file, or with another text in it. */
export type Scores = Partial<Record<RoleKit['role'], Score | undefined>>;

export const scoreFileOf = (role: RoleKit['role']): string =>
  `conformance/roles/${role}/self-test/score.json`;

/** @param textOf returns the text of the score file of a role */
export function readScores({ roles }: Kit, textOf: (file: string) => string): Scores {
  return Object.fromEntries(roles.map(({ role }) => [role, readScore(textOf(scoreFileOf(role)))]));
}

function readScore(text: string): Score | undefined {
  try {
    return scoreSchema.parse(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return undefined;
    throw error;
  }
}

/** Lists what makes a score untrue, one sentence each: a missing score, or one of another catalogue. */
export function scoreProblems({ role, defects, harmless }: RoleKit, scores: Scores): string[] {
  const file = scoreFileOf(role);
  const flag = role === 'auth-server' ? '' : ` --role ${role}`;
  const again = `Please run npm run conformance -- self-test${flag} --json ${file}, then npm run docs.`;
  const score = scores[role];
  if (!score) return [`${file} is missing or is no score. ${again}`];
  return Object.entries({ defect: defects, harmless }).flatMap(([kind, variants]) => {
    const scored = Object.keys(score.rows[kind as keyof Score['rows']]);
    const wanted = variants.map(({ id }) => id);
    const missing = wanted.filter((id) => !scored.includes(id));
    const gone = scored.filter((id) => !wanted.includes(id));
    return [
      ...missing.map((id) => `${file} lacks the ${kind} variant ${id}. ${again}`),
      ...gone.map((id) => `${file} has the ${kind} variant ${id}, which is no longer there. ${again}`),
    ];
  });
}

/** Returns how many variants of a shape there are, and how many had the right outcome if there is a score. */
export function shareOfShape(
  kit: RoleKit,
  shape: string,
  kind: 'defect' | 'harmless',
  scores: Scores,
): string {
  const variants = ofShape(kit, shape, kind === 'defect' ? kit.defects : kit.harmless);
  const score = scores[kit.role];
  if (!score) return `${variants.length}, not run yet`;
  return `${variants.filter(({ id }) => score.rows[kind][id]).length} of ${variants.length}`;
}

/** Returns the sentence of a score with its seed. */
export function scoreSentence({ seed, sentence }: Score): string {
  return `The last self-test (seed ${seed}): ${sentence}`;
}
