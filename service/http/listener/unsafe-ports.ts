/** Ports that browsers refuse, whatever listens there. A server on one works for programs alone. */
import type { Log } from '../../process/log.ts';

/** The ports of the Fetch standard, "port blocking", https://fetch.spec.whatwg.org/#port-blocking. */
const UNSAFE_PORTS = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

/** Log a warning where browsers refuse the port of a server for them. @param url its base address */
export function warnOfUnsafePort(log: Log, url: string): void {
  const { port } = new URL(url);
  if (port !== '' && UNSAFE_PORTS.has(Number(port)))
    log.warn(`browsers refuse port ${port} as unsafe, so no page can call here. Please choose another one.`);
}
