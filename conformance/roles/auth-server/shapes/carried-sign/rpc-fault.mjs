/** Errors to clients. */

/** An error to the client. Only faults tell `detail`. */
export class RpcFault extends Error {
  constructor(reason, { code, cause, detail }) {
    super(reason, { cause });
    this.code = code;
    this.detail = detail;
  }
}
