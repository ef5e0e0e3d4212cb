/**
 * A client that a person uses, for the scripts of a case: where the client is a page, the kit does in a
 * browser what a script asks for.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '#service/process/files/writing.ts';
import type { CaseOpening } from '../../../engine/case/case-role.ts';
import type { Stand } from '../../../engine/case/told.ts';
import { choosePorts } from '../../../engine/party/process/ports.ts';
import type { Action, ClientDriver } from '../drivers/driver.ts';
import { openDrivers } from '../drivers/open.ts';
import type { ClientSettings } from '../settings.ts';
import { handPartsOf } from './parts.ts';
import { LEAVE, START_OVER } from './played-person.ts';

/** Opens the browser, or the terminal at which somebody is asked. */
export async function standByHand(
  settings: ClientSettings,
  { env, clock, signal }: Pick<CaseOpening, 'env' | 'clock' | 'signal'>,
): Promise<Stand> {
  const { auth, ehr } = settings.ports;
  const ports = await choosePorts({ auth, ehr });
  const asked = new Map<string, readonly Action[]>();
  const folder = temporaryDirectory('client-case-');
  const drivers = await openDrivers(settings, {
    authUrl: `http://127.0.0.1:${ports.auth}`,
    ehrUrl: `http://127.0.0.1:${ports.ehr}`,
    ...{ port: settings.ports.page, timeouts: settings.timeouts, clock, env, signal },
    ...{ mask: (text) => text, onCall: () => () => undefined },
  });
  let driver: ClientDriver | undefined;
  let clients = 0;
  const reset = async () => {
    await driver?.kill();
    driver = undefined;
    clients += 1;
  };
  const { browser, person } = settings;
  return {
    parts: (told) =>
      handPartsOf(settings, browser?.address ?? person?.address, {
        told,
        onAsked: (sentence, actions) => asked.set(sentence, actions),
      }),
    env: { AUTH_PORT: String(ports.auth), EHR_PORT: String(ports.ehr) },
    isByHand: person !== undefined,
    reset,
    async person(sentence) {
      if (sentence === START_OVER) return reset();
      if (sentence === LEAVE) {
        await driver?.leave();
        driver = undefined;
        return;
      }
      driver ??= await drivers.start(join(folder, String(clients)));
      const acting = driver;
      await Promise.all(actionsFor(sentence, asked).map((action) => acting.act(action)));
    },
    async close() {
      await driver?.kill();
      await drivers.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What a sentence of a script asks for. */
function actionsFor(sentence: string, asked: ReadonlyMap<string, readonly Action[]>): readonly Action[] {
  const [, code] = /^Enter the code (\S+?)\./.exec(sentence) ?? [];
  if (code === undefined) return asked.get(sentence) ?? [];
  const action: Action = { do: 'enterCode', code };
  return sentence.endsWith('as fast as you can.') ? [action, action] : [action];
}
