/** Selects what a report shows of the file about an EHR server: no secret, and no person. */
import { isAbsent } from '../../engine/party/file/step-schema.ts';
import type { EhrSettings } from './settings.ts';

/** Returns what a report shows, by the keys of the file. Of the people only their number is shown. */
export function configurationOf(settings: EhrSettings): Record<string, unknown> {
  const { server, internal, internalUrl, ttlUnit, replyId, people, control, timeouts } = settings;
  // A step of `control` may be described, be absent with a reason, or not be mentioned.
  const stated = (step: EhrSettings['control'][keyof EhrSettings['control']]) =>
    step === undefined ? 'not described' : isAbsent(step) ? `absent: ${step.absent}` : 'described';
  return {
    server: { url: server.url, startedByTheKit: server.start !== undefined },
    internal: { user: internal.user, url: internalUrl ?? 'the public endpoint' },
    ttlUnit,
    replyId,
    people: {
      matching: people.matching.length,
      ambiguous: people.ambiguous ? 'named' : 'none named',
      inactive: people.inactive ? 'named' : 'none named',
    },
    control: { advanceClock: stated(control.advanceClock), restart: stated(control.restart) },
    timeouts: { ...timeouts },
  };
}
