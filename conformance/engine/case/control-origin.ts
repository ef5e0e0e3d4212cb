/** Finds where the test set-up of a party is reached, for the script of a case. */

/** The origin of the first of these steps that has a whole address, such as the one that moves the clock. */
export function controlOrigin(steps: readonly (object | undefined)[]): string | undefined {
  const urls = steps.flatMap((step) => (step && 'url' in step && step.url ? [String(step.url)] : []));
  // A template may stand in its path.
  return urls[0] === undefined ? undefined : new URL(urls[0].replaceAll(/\$\{\w+\}/g, '0')).origin;
}
