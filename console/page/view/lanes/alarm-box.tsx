/** Patient data crossed toward the authorization server: the page halts, in red. */
import { useEffect, useRef } from 'react';
import type { Alarm } from '../../../api.ts';
import { texts } from '../../texts.ts';
import { useConsole } from '../context.ts';
import { Button } from '../parts/button.tsx';
import { MessageLink } from '../parts/links.tsx';

export function AlarmBox({ alarm }: { alarm: Alarm }) {
  const { act, show } = useConsole();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div className="alarm" role="alert" tabIndex={-1} ref={box}>
      <h2>{texts.alarmTitle}</h2>
      <p>
        <span>{texts.alarmText}</span> <MessageLink id={alarm.message} />
      </p>
      <ul>
        {alarm.found.map((found) => (
          <li key={found}>{found}</li>
        ))}
      </ul>
      <p className="row alarm-acts">
        <Button text={texts.alarmShow} onClick={() => show(alarm.message)} />
        <Button text={texts.alarmGoOn} onClick={act.goOnAfterAlarm} />
      </p>
    </div>
  );
}
