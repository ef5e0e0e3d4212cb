/** The JSON-RPC error with which this authorization server answers a client. */

/**
 * An error: its reason, and its number. A right server sends no `detail`; faults put there what must stay
 * secret.
 */
export class RpcFault extends Error {
  constructor(reason, { code, cause, detail }) {
    super(reason, { cause });
    this.code = code;
    this.detail = detail;
  }
}
