/** Gives requests a W3C trace context: OpenTelemetry shows spans of a server under the id in the report. */
import { createHash } from 'node:crypto';
import { TRACE_HEADER } from '../../journal/headers.ts';
import type { HttpRequest } from './build-request.ts';

/** A request with these gets no trace: it has one, or is of a browser, which would have to ask first. */
const WITHOUT = new Set([TRACE_HEADER, 'origin']);

/** The traces of one run: one for each step. */
export class Traces {
  readonly #run: string;
  #requests = 0;

  /** @param startedAt when the run began (ms): two runs with one seed have other traces. */
  constructor({ seed, startedAt }: { seed: number; startedAt: number }) {
    this.#run = `${seed} ${startedAt}`;
  }

  added(headers: HttpRequest['headers'], step: number | string): HttpRequest['headers'] {
    if (headers.some(([name]) => WITHOUT.has(name))) return headers;
    const trace = this.#id(`step ${step}`, 32);
    const parent = this.#id(`request ${++this.#requests}`, 16);
    return [...headers, [TRACE_HEADER, `00-${trace}-${parent}-01`]];
  }

  /** An id of this many hexadecimal digits: a digest of the run and a name. */
  #id(name: string, digits: number): string {
    const drawn = createHash('sha256').update(`${this.#run} ${name}`).digest('hex').slice(0, digits);
    // Never four decimal digits in a row: no one-time code stands in it by chance, and no id is all zeros.
    return drawn.replaceAll(/(\d{3})\d/g, '$1a');
  }
}
