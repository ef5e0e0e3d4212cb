/** Steps of a linked user at any shape. */
import { ANN, authenticate, type Session, signIn, type World } from './drive.ts';
import type { Call } from './ehr.ts';

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
