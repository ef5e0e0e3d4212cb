/** An authorization server of the self-test as a party of a case. */
import type { CaseParty } from '../../../engine/case/make.ts';
import { Untellable } from '../../../engine/case/make.ts';
import type { PlayOptions } from '../../../engine/defects/catalogue.ts';
import { choosePorts } from '../../../engine/party/process/ports.ts';
import { fillPorts } from '../adapter/file/fill-ports.ts';
import type { AuthVariant } from '../defects/defect.ts';
import { scenarios } from '../flows/index.ts';
import { playVariant, withFile } from '../self-test/self-test.ts';
import { shapes } from '../self-test/shapes.ts';
import { environmentOf, partsOf } from './parts.ts';

/** The party that a variant is. @throws Untellable for a variant whose fault is one of certificates */
export function partyOf(variant: AuthVariant, options: PlayOptions): CaseParty {
  const { clock, seed } = options;
  return {
    play: (check, tap) =>
      playVariant(
        variant,
        scenarios.filter(({ id }) => check.scenarios.includes(id)),
        { ...options, tap },
        [check],
      ),
    async stand() {
      const { tls, ...plain } = variant;
      if (tls !== undefined && tls !== 'checked')
        throw new Untellable('The fault is one of certificates: a script has none.');
      const shape = shapes[variant.shape ?? 'mock'];
      const ports = (await choosePorts({ ehr: 0, sms: 0 })) as { ehr: number; sms: number };
      const served = await shape.serve(plain, {
        ...{ ehrUrl: `http://127.0.0.1:${ports.ehr}`, smsUrl: `http://127.0.0.1:${ports.sms}`, clock, seed },
      });
      const { settings } = withFile(await shape.load(), variant.file ?? {});
      const filled = await fillPorts({ ...settings, ports: served.ports });
      return {
        parts: (told) => partsOf(filled, ports, told),
        env: environmentOf(filled, ports),
        close: served.close,
      };
    },
  };
}
