/** What a client is told in place of a result. */

/** An error to the client. `detail` is told by faults alone. */
export class RpcFault extends Error {
  constructor(reason, { code, cause, detail }) {
    super(reason, { cause });
    this.code = code;
    this.detail = detail;
  }
}
