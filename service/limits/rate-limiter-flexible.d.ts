// The single modules of rate-limiter-flexible, as its manual has them imported: the whole library, with its limiters for
// two dozen databases, takes many times as long to load. Its types describe them under its main name only.
declare module 'rate-limiter-flexible/lib/RateLimiterStoreAbstract.js' {
  import { RateLimiterStoreAbstract } from 'rate-limiter-flexible';

  export = RateLimiterStoreAbstract;
}
declare module 'rate-limiter-flexible/lib/RateLimiterPostgres.js' {
  import { RateLimiterPostgres } from 'rate-limiter-flexible';

  export = RateLimiterPostgres;
}
declare module 'rate-limiter-flexible/lib/RateLimiterRes.js' {
  import { RateLimiterRes } from 'rate-limiter-flexible';

  export = RateLimiterRes;
}
