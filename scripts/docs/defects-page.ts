/** `docs/defects.md`: the variants of the mock authorization server on which the conformance kit is proven. */
import type { Kit } from './kit.ts';
import { code, GENERATED, page, slug, table } from './markdown.ts';

/** The page as Markdown. */
export function defectsPage({ defects, harmless }: Kit): string {
  return page(
    GENERATED,
    '# Defects and harmless variants',
    'Each row is the mock authorization server with one thing changed. `npm run conformance -- self-test` judges all of them: every defect must be found by the check that it names, and no harmless variant may change a verdict. The last score stands in the [README](../README.md#the-conformance-kit).',
    `## Defects`,
    `${defects.length} servers that are wrong in one thing.`,
    table(
      ['Defect', 'What the server does', 'Found by'],
      defects.map(({ id, title, caughtBy }) => [code(id), title, `[${code(caughtBy)}](checks.md#${slug(caughtBy)})`]),
    ),
    '## Harmless variants',
    `${harmless.length} servers that differ from the reference and are just as right.`,
    table(
      ['Variant', 'What the server does'],
      harmless.map(({ id, title }) => [code(id), title]),
    ),
  );
}
