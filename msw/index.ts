/** msw handlers for developers of client applications: both servers in one process or browser worker. */

export type { Message } from '#mock-auth-server/outbox/outbox.ts';
export { type MovableClock, manualClock } from '#protocol/time/clock.ts';
export { seededRandom } from '#protocol/time/random.ts';
export { RpcError } from '#protocol/wire/errors.ts';
export { type AuthHandlers, type AuthHandlersOptions, authHandlers, type Outbox } from './auth-handlers.ts';
export { type EhrHandlers, type EhrHandlersOptions, ehrHandlers } from './ehr-handlers.ts';
export {
  type MethodName,
  type OverrideOptions,
  type Resolver,
  type ResolverCall,
  type RpcOverrides,
  rpc,
} from './rpc.ts';
