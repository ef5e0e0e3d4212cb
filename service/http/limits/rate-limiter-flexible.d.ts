// Types for single modules of rate-limiter-flexible. Its types describe them under its main name only. Its
// manual suggests to import single modules: the whole library, with limiters for two dozen databases, loads
// far more slowly.
declare module 'rate-limiter-flexible/lib/BurstyRateLimiter.js' {
  import { BurstyRateLimiter } from 'rate-limiter-flexible';

  export = BurstyRateLimiter;
}
declare module 'rate-limiter-flexible/lib/RateLimiterMemory.js' {
  import { RateLimiterMemory } from 'rate-limiter-flexible';

  export = RateLimiterMemory;
}
declare module 'rate-limiter-flexible/lib/RateLimiterPostgres.js' {
  import { RateLimiterPostgres } from 'rate-limiter-flexible';

  export = RateLimiterPostgres;
}
declare module 'rate-limiter-flexible/lib/RateLimiterRes.js' {
  import { RateLimiterRes } from 'rate-limiter-flexible';

  export = RateLimiterRes;
}
