/** What of this project other projects can import, and where the built files of it stand. */

/** Import path below the package's name, to the module that it is built from. */
export const libraryEntries = {
  protocol: 'protocol/index.ts',
  'mis-fixtures/personas': 'mis-fixtures/personas.ts',
  'mis-fixtures/msw': 'mis-fixtures/msw/index.ts',
} as const;

/** Where the built library stands, from the root of the project. */
export const libraryDirectory = 'dist/library';

/** The `exports` of package.json that offer the built library. */
export function libraryExports(): Record<string, { types: string; default: string }> {
  const entries = Object.entries(libraryEntries).map(([subpath, source]) => [
    `./${subpath}`,
    {
      types: `./${libraryDirectory}/types/${source.replace(/\.ts$/, '.d.ts')}`,
      default: `./${libraryDirectory}/${subpath}.js`,
    },
  ]);
  return Object.fromEntries(entries);
}
