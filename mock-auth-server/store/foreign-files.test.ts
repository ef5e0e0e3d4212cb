import { expect } from 'vitest';
import { claims } from '#e2e/threats/claims.ts';
import { foreignFiles, placeForeign } from '#testing/foreign-files.ts';
import { openStore } from './open-store.ts';

for (const [what, foreign] of Object.entries(foreignFiles))
  claims(['T-file-10'], `a ${what} in --database is refused and stays as it is`, async () => {
    const { file, picture } = placeForeign(foreign);
    const before = picture();
    const { message } = await openStore(file).then(
      () => new Error('It was opened.'),
      (error: Error) => error,
    );
    expect(message).toContain(`Failed to open the database ${file}: --database (AUTH_DATABASE) names `);
    expect(message).toMatch(foreign.called);
    expect(picture()).toEqual(before);
  });
