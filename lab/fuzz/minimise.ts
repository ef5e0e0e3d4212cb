/** Minimises an input that breaks something. */
import type { Input } from './input.ts';

/**
 * Leaves out ever smaller parts of the input while `breaks` reports that the rest still breaks something.
 * @param attempts maximum number of inputs to try
 */
export async function minimise(
  input: Input,
  breaks: (input: Input) => Promise<boolean>,
  attempts: number,
): Promise<Input> {
  let left = attempts;
  const shrink = async <Part>(parts: Part[], rebuild: (parts: Part[]) => Input): Promise<Input> => {
    let kept = parts;
    for (let size = Math.ceil(kept.length / 2); size >= 1 && left > 0; ) {
      let removed = false;
      for (let at = 0; at < kept.length && left > 0; ) {
        const fewer = [...kept.slice(0, at), ...kept.slice(at + size)];
        left--;
        if (await breaks(rebuild(fewer))) {
          kept = fewer;
          removed = true;
        } else at += size;
      }
      if (!removed || kept.length < size) size = size === 1 ? 0 : Math.ceil(size / 2);
    }
    return rebuild(kept);
  };
  switch (input.level) {
    case 'raw': {
      const whole = { ...input, cuts: [] };
      const start = await shrink(input.cuts, (cuts) => ({ ...input, cuts }));
      if (!(await breaks(whole))) return start;
      return shrink([...whole.bytes], (parts) => ({ ...whole, bytes: parts.join('') }));
    }
    case 'rpc':
      return shrink([...input.body], (parts) => ({ ...input, body: parts.join('') }));
    case 'sequence':
      return shrink(input.steps, (steps) => ({ ...input, steps }));
  }
}
