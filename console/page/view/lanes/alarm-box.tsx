/** Patient data crossed toward the authorization server: the page halts, in red. */
import { useEffect, useRef } from 'react';
import type { Alarm } from '../../../api.ts';
import { useConsole } from '../context.ts';
import { Button } from '../parts/button.tsx';
import { MessageLink } from '../parts/message-link.tsx';

export function AlarmBox({ alarm }: { alarm: Alarm }) {
  const { act, say, show } = useConsole();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div className="alarm" role="alert" tabIndex={-1} ref={box}>
      <h2>{say('alarmTitle')}</h2>
      <p>
        <span>{say('alarmText')}</span> <MessageLink id={alarm.message} />
      </p>
      <ul>
        {alarm.found.map((found) => (
          <li key={found}>{found}</li>
        ))}
      </ul>
      <p className="row alarm-acts">
        <Button text="alarmShow" onClick={() => show(alarm.message)} />
        <Button text="alarmGoOn" onClick={act.goOnAfterAlarm} />
      </p>
    </div>
  );
}
