/** The error of a call that failed because something is unavailable. */

/**
 * A failure whose cause an `outageLog` reports, so the lines of the failing calls need not repeat it.
 */
export class Unavailable extends Error {
  override name = 'Unavailable';

  constructor(message: string) {
    super(message);
    // The place where a call failed says nothing about the cause.
    this.stack = `${this.name}: ${message}`;
  }
}
