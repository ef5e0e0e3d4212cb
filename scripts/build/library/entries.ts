/** The modules that other projects can import, and the location of their built files. */

/** Import path below the package's name, and the module from which it is built. */
export const libraryEntries = {
  protocol: 'protocol/index.ts',
  'mis-fixtures/personas': 'mis-fixtures/personas.ts',
  'mis-fixtures/msw': 'msw/index.ts',
} as const;

export const libraryDirectory = 'dist/library';

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
