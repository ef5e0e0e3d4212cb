/** A request that is refused; the message says why, and what to do. */
export class Refused extends Error {
  readonly status: number;
  readonly reason: string;

  constructor(status: number, reason: string, message: string) {
    super(message);
    this.status = status;
    this.reason = reason;
  }
}

/** What cannot be done now. */
export class NotPossible extends Refused {
  constructor(message: string) {
    super(409, 'not_possible', message);
  }
}

/** What is named and not there. */
export class NotFound extends Refused {
  constructor(message: string) {
    super(404, 'not_found', message);
  }
}
