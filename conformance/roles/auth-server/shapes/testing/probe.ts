/** A probe of a fault: something at the client or the EHR server that only a server with it shows. */
import type { ShapeOptions } from '../shape.ts';
import { ANN, authenticate, BEA, type Session, signIn, type World } from './drive.ts';
import type { Call } from './ehr.ts';

export type Probe = {
  options?: ShapeOptions;
  /** Needs a state file. */
  keeps?: true;
  shows: (world: World) => Promise<boolean>;
};

export const probe = (shows: Probe['shows'], options: ShapeOptions = {}): Probe => ({ shows, options });

/** Signs in and links, and reports the link where the shape has that step. */
export async function linkUser(world: World, phone: string = ANN): Promise<{ session: Session; sign: string }> {
  const session = await signIn(world, phone);
  const sign = await authenticate(world, session);
  if (world.reportsLinks) await world.link(session, sign);
  return { session, sign };
}

/** Signs in a linked user, with the signature where the client carries it. */
export async function returnUser(world: World, phone: string, sign: string): Promise<Session> {
  return signIn(world, phone, world.reportsLinks ? undefined : sign);
}

/** Confirms the next code of a linked user. */
export async function confirmReturn(world: World, phone: string, sign: string) {
  const attempt = await world.attempt(phone);
  return world.confirm(attempt, attempt.code, world.reportsLinks ? undefined : sign);
}

export const savesOf = (world: World): Call[] => world.ehr.calls.filter(({ method }) => method.endsWith('auth_info'));

/** Whether the EHR server knows neither of two returning linked users by what the client was told. */
export async function isUnknownOnReturn(world: World): Promise<boolean> {
  try {
    const ann = await linkUser(world, ANN);
    const first = await returnUser(world, ANN, ann.sign);
    const bea = await linkUser(world, BEA);
    const others = [await returnUser(world, BEA, bea.sign), await returnUser(world, ANN, ann.sign)];
    return ![first, ...others].every(({ token }) => world.ehr.tokens.has(token));
  } catch {
    // Some step was refused.
    return true;
  }
}

/** Whether nothing listens there any more. */
export function isDown(world: World): Promise<boolean> {
  return fetch(world.url()).then(
    () => false,
    () => true,
  );
}

/** Something that others wait for until it is opened. */
export function gate(): { open(): void; opened: Promise<void> } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}
