/** The names of contenders and conditions in tables. The targets find their figures by these names. */

export const EHR = 'EHR server';
export const EHR_UNAUDITED = 'EHR server, --audit off';
export const BARE = 'bare node:http';
export const BARE_UNAUDITED = 'bare node:http, no audit';
export const BARE_PER_CALL = 'bare node:http, a commit per call';
export const EXPRESS = 'express 5';
export const JAYSON = 'jayson on express';
export const JSON_RPC = 'json-rpc-2.0 on express';
export const OAUTH = 'oauth2-mock-server, token endpoint';
export const BUNDLED = 'EHR server, bundled';
export const IN_PROCESS = 'search in the process';

/** What people would use instead. A bare server is no peer but the limit. */
export const PEERS: readonly string[] = [EXPRESS, JAYSON, JSON_RPC, OAUTH];

export const TABLES = {
  http: 'http-layer',
  getPatient: 'get-patient',
  sizes: 'get-patient-sizes',
  saveAuthInfo: 'save-auth-info',
  saveExchangeToken: 'save-exchange-token',
  match: 'match',
  start: 'start',
  fixtures: 'fixtures',
  postgres: 'postgres',
} as const;

export function connectionsCase(count: number): string {
  return count === 1 ? '1 connection' : `${count} connections`;
}

/** Formats a number in groups of digits, such as 10 000 000. */
function grouped(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ' ');
}

export function sessionsCase(count: number): string {
  return `${grouped(count)} sessions`;
}

export function patientsCase(count: number): string {
  return `${grouped(count)} patients`;
}
