//! One page: what a reader does with it, and what can be seen of it.

use std::path::Path;

use serde_json::{Value, json};

use crate::Error;
use crate::layout::RECORDER;
use crate::pipe::Pipe;

/// How the page is to be seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// The reader prefers dark colours.
    pub dark: bool,
    /// Width of the window in CSS pixels.
    pub width: u32,
    /// Height of the window in CSS pixels.
    pub height: u32,
    /// Pixels of the screen per CSS pixel.
    pub scale: f64,
    /// As on paper.
    pub print: bool,
    /// The reader prefers no motion.
    pub still: bool,
}

impl Default for Look {
    fn default() -> Self {
        Self { dark: false, width: 1280, height: 900, scale: 1.0, print: false, still: false }
    }
}

/// An open page; closed when dropped.
pub struct Page<'a> {
    pipe: &'a mut Pipe,
    session: String,
    target: String,
}

impl<'a> Page<'a> {
    pub(crate) fn open(pipe: &'a mut Pipe, path: &Path) -> Result<Self, Error> {
        let path = path.canonicalize().map_err(|e| Error::Io("find the page", e))?;
        let made = pipe.call(None, "Target.createTarget", json!({ "url": "about:blank" }))?;
        let target = text(&made["targetId"], "target")?;
        let attached = pipe.call(None, "Target.attachToTarget", json!({ "targetId": target, "flatten": true }))?;
        let session = text(&attached["sessionId"], "session")?;
        let mut page = Self { pipe, session, target };
        for domain in ["Page", "Runtime", "Network", "Log"] {
            page.call(&format!("{domain}.enable"), json!({}))?;
        }
        page.emulate(Look::default())?;
        page.call("Page.addScriptToEvaluateOnNewDocument", json!({ "source": RECORDER }))?;
        // Enabling reports what happened before, on the empty page: not ours.
        let session = page.session.clone();
        page.pipe.forget(&session);
        let answer = page.call("Page.navigate", json!({ "url": file_address(&path) }))?;
        if let Some(error) = answer["errorText"].as_str() {
            return Err(Error::Refused { method: "Page.navigate".to_owned(), message: error.to_owned() });
        }
        page.pipe.wait_for(&session, "Page.loadEventFired")?;
        Ok(page)
    }

    fn call(&mut self, method: &str, params: Value) -> Result<Value, Error> {
        self.pipe.call(Some(&self.session), method, params)
    }

    /// The value of an expression, as JSON. A promise is awaited.
    ///
    /// # Errors
    ///
    /// [`Error::Script`] if it throws or rejects.
    pub fn evaluate(&mut self, script: &str) -> Result<Value, Error> {
        let params = json!({ "expression": script, "awaitPromise": true, "returnByValue": true, "userGesture": true });
        let mut answer = self.call("Runtime.evaluate", params)?;
        if let Some(thrown) = answer.get("exceptionDetails") {
            return Err(Error::Script(exception(thrown)));
        }
        Ok(answer["result"]["value"].take())
    }

    /// Waits until an expression is true; asks about fifty times a second.
    ///
    /// # Errors
    ///
    /// [`Error::Timeout`] if it is not within ten seconds.
    pub fn wait_until(&mut self, script: &str) -> Result<(), Error> {
        for _ in 0..500 {
            if self.evaluate(script)? == true {
                return Ok(());
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        Err(Error::Timeout(script.to_owned()))
    }

    /// Moves the pointer to a place in the window, in CSS pixels.
    ///
    /// # Errors
    ///
    /// If the browser does not answer; so for all that follow.
    pub fn move_to(&mut self, x: f64, y: f64) -> Result<(), Error> {
        self.mouse("mouseMoved", x, y, false)
    }

    /// Moves the pointer over an element: `(0, 0)` is its upper left corner, `(1, 1)` its lower right.
    ///
    /// # Errors
    ///
    /// [`Error::NoElement`] if nothing matches the selector.
    pub fn hover(&mut self, selector: &str, across: f64, down: f64) -> Result<(), Error> {
        let (x, y) = self.place(selector, across, down)?;
        self.move_to(x, y)
    }

    /// Clicks into the middle of an element.
    ///
    /// # Errors
    ///
    /// [`Error::NoElement`] if nothing matches the selector.
    pub fn click(&mut self, selector: &str) -> Result<(), Error> {
        self.click_at(selector, 0.5, 0.5)
    }

    /// Clicks into an element, at a place given as in [`hover`](Self::hover).
    ///
    /// # Errors
    ///
    /// [`Error::NoElement`] if nothing matches the selector.
    pub fn click_at(&mut self, selector: &str, across: f64, down: f64) -> Result<(), Error> {
        self.drag(selector, (across, down), (across, down))
    }

    /// Presses the button at one place of an element, moves to another and lets go.
    ///
    /// # Errors
    ///
    /// [`Error::NoElement`] if nothing matches the selector.
    pub fn drag(&mut self, selector: &str, from: (f64, f64), to: (f64, f64)) -> Result<(), Error> {
        let (x, y) = self.place(selector, from.0, from.1)?;
        let (to_x, to_y) = self.place(selector, to.0, to.1)?;
        self.mouse("mouseMoved", x, y, false)?;
        self.mouse("mousePressed", x, y, true)?;
        if from != to {
            for k in 1..=8 {
                let part = f64::from(k) / 8.0;
                self.mouse("mouseMoved", x + (to_x - x) * part, y + (to_y - y) * part, true)?;
            }
        }
        self.mouse("mouseReleased", to_x, to_y, true)
    }

    /// Turns the wheel over the middle of an element; positive scrolls down. `control` holds the control key.
    ///
    /// # Errors
    ///
    /// [`Error::NoElement`] if nothing matches the selector.
    pub fn wheel(&mut self, selector: &str, by: f64, control: bool) -> Result<(), Error> {
        let (x, y) = self.place(selector, 0.5, 0.5)?;
        let modifiers = if control { 2 } else { 0 };
        let params = json!({ "type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": by, "modifiers": modifiers });
        self.call("Input.dispatchMouseEvent", params)?;
        Ok(())
    }

    /// Presses and releases a key: a character, or a name such as `ArrowRight`, `Home`, `Tab`, `Enter`.
    ///
    /// # Errors
    ///
    /// If the browser does not answer.
    pub fn press(&mut self, key: &str) -> Result<(), Error> {
        let typed = match key {
            "Enter" => Some("\r"),
            _ if key.chars().count() == 1 => Some(key),
            _ => None,
        };
        let code = key_code(key);
        let mut down = json!({ "type": "keyDown", "key": key, "windowsVirtualKeyCode": code });
        if let Some(typed) = typed {
            down["text"] = json!(typed);
        } else {
            down["type"] = json!("rawKeyDown");
        }
        self.call("Input.dispatchKeyEvent", down)?;
        self.call("Input.dispatchKeyEvent", json!({ "type": "keyUp", "key": key, "windowsVirtualKeyCode": code }))?;
        Ok(())
    }

    /// Sets how the page is seen.
    ///
    /// # Errors
    ///
    /// If the browser does not answer.
    pub fn emulate(&mut self, look: Look) -> Result<(), Error> {
        let size =
            json!({ "width": look.width, "height": look.height, "deviceScaleFactor": look.scale, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", size)?;
        let features = json!([
            { "name": "prefers-color-scheme", "value": if look.dark { "dark" } else { "light" } },
            { "name": "prefers-reduced-motion", "value": if look.still { "reduce" } else { "no-preference" } },
        ]);
        let media = if look.print { "print" } else { "" };
        self.call("Emulation.setEmulatedMedia", json!({ "media": media, "features": features }))?;
        Ok(())
    }

    /// Writes what the window shows to a PNG file.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn screenshot(&mut self, path: &Path) -> Result<(), Error> {
        let answer = self.call("Page.captureScreenshot", json!({ "format": "png" }))?;
        write_base64(&answer["data"], path)
    }

    /// Prints the page on A4 paper, to a PDF file.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn print(&mut self, path: &Path) -> Result<(), Error> {
        let answer = self.call("Page.printToPDF", json!({ "paperWidth": 8.27, "paperHeight": 11.69 }))?;
        write_base64(&answer["data"], path)
    }

    /// Every address the page has asked for, its own first.
    ///
    /// # Errors
    ///
    /// If the browser does not answer.
    pub fn requests(&mut self) -> Result<Vec<String>, Error> {
        self.settle()?;
        Ok(self
            .pipe
            .events(&self.session)
            .filter(|event| event["method"] == "Network.requestWillBeSent")
            .filter_map(|event| event["params"]["request"]["url"].as_str().map(str::to_owned))
            .collect())
    }

    /// Everything said on the console: messages, uncaught errors, and what the browser itself complains about.
    ///
    /// # Errors
    ///
    /// If the browser does not answer.
    pub fn console(&mut self) -> Result<Vec<String>, Error> {
        self.settle()?;
        Ok(self.pipe.events(&self.session).filter_map(complaint).collect())
    }

    /// What the clipboard holds. Gives the page the right to write and read it.
    ///
    /// # Errors
    ///
    /// [`Error::Script`] if the browser does not let it be read.
    pub fn clipboard(&mut self) -> Result<String, Error> {
        self.grant_clipboard()?;
        let value = self.evaluate("navigator.clipboard.readText()")?;
        text(&value, "text")
    }

    /// Lets the page use the clipboard without asking.
    ///
    /// # Errors
    ///
    /// If the browser does not answer.
    pub fn grant_clipboard(&mut self) -> Result<(), Error> {
        self.call("Page.bringToFront", json!({}))?;
        let permissions = json!({ "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"] });
        self.pipe.call(None, "Browser.grantPermissions", permissions)?;
        Ok(())
    }

    /// Events arrive before the answer to a command sent after them.
    fn settle(&mut self) -> Result<(), Error> {
        self.evaluate("null").map(|_| ())
    }

    fn mouse(&mut self, kind: &str, x: f64, y: f64, held: bool) -> Result<(), Error> {
        let clicks = i32::from(kind != "mouseMoved");
        let (button, buttons) = if held { ("left", i32::from(kind != "mouseReleased")) } else { ("none", 0) };
        let params =
            json!({ "type": kind, "x": x, "y": y, "button": button, "buttons": buttons, "clickCount": clicks });
        self.call("Input.dispatchMouseEvent", params)?;
        Ok(())
    }

    /// Where in the window a place of an element is; scrolls it into sight.
    fn place(&mut self, selector: &str, across: f64, down: f64) -> Result<(f64, f64), Error> {
        let script = format!(
            "(() => {{ const e = document.querySelector({}); if (!e) return null;
               e.scrollIntoView({{ block: 'center', inline: 'nearest', behavior: 'instant' }});
               const r = e.getBoundingClientRect(); return [r.left, r.top, r.width, r.height]; }})()",
            json!(selector)
        );
        let place = self.evaluate(&script)?;
        let number = |k: usize| place[k].as_f64().unwrap_or(0.0);
        if number(2) <= 0.0 || number(3) <= 0.0 {
            return Err(Error::NoElement(selector.to_owned()));
        }
        Ok((number(0) + across * number(2), number(1) + down * number(3)))
    }
}

impl Drop for Page<'_> {
    fn drop(&mut self) {
        // A browser that has ended has no page to close.
        let _ = self.pipe.call(None, "Target.closeTarget", json!({ "targetId": self.target }));
        self.pipe.forget(&self.session);
    }
}

/// What an event says on the console, if it does.
fn complaint(event: &Value) -> Option<String> {
    let params = &event["params"];
    match event["method"].as_str()? {
        "Runtime.consoleAPICalled" => {
            let words = params["args"].as_array()?.iter().map(|arg| match &arg["value"] {
                Value::String(text) => text.clone(),
                Value::Null => arg["description"].as_str().unwrap_or("null").to_owned(),
                other => other.to_string(),
            });
            Some(words.collect::<Vec<_>>().join(" "))
        }
        "Runtime.exceptionThrown" => Some(exception(&params["exceptionDetails"])),
        "Log.entryAdded" => params["entry"]["text"].as_str().map(str::to_owned),
        _ => None,
    }
}

/// The first line of what was thrown, or all there is.
fn exception(details: &Value) -> String {
    let thrown = &details["exception"];
    let description = thrown["description"].as_str().or_else(|| details["text"].as_str());
    description.map_or_else(|| thrown["value"].to_string(), str::to_owned)
}

fn text(value: &Value, what: &str) -> Result<String, Error> {
    value.as_str().map(str::to_owned).ok_or_else(|| Error::Answer(what.to_owned()))
}

/// The address of a file; bytes outside of the plain ones are escaped.
fn file_address(path: &Path) -> String {
    let mut address = "file://".to_owned();
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                address.push(char::from(*byte));
            }
            _ => address.push_str(&format!("%{byte:02X}")),
        }
    }
    address
}

/// The number a keyboard has for a key.
fn key_code(key: &str) -> u32 {
    match key {
        "Backspace" => 8,
        "Tab" => 9,
        "Enter" => 13,
        "Escape" => 27,
        "PageUp" => 33,
        "PageDown" => 34,
        "End" => 35,
        "Home" => 36,
        "ArrowLeft" => 37,
        "ArrowUp" => 38,
        "ArrowRight" => 39,
        "ArrowDown" => 40,
        "+" => 187,
        "-" => 189,
        _ => key.chars().next().map_or(0, |c| u32::from(c.to_ascii_uppercase())),
    }
}

fn write_base64(data: &Value, path: &Path) -> Result<(), Error> {
    let data = text(data, "data")?;
    let bytes = decode_base64(&data).ok_or_else(|| Error::Answer("base64 data".to_owned()))?;
    std::fs::write(path, bytes).map_err(|e| Error::Io("write the file", e))
}

fn decode_base64(data: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(data.len() / 4 * 3);
    let (mut held, mut bits) = (0_u32, 0);
    for byte in data.trim_end_matches('=').bytes() {
        let six = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        held = held << 6 | u32::from(six);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((held >> bits & 0xff) as u8);
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_read() {
        assert_eq!(decode_base64("aGk=").as_deref(), Some(b"hi".as_slice()));
        assert_eq!(decode_base64("AP/+").as_deref(), Some([0, 255, 254].as_slice()));
        assert_eq!(decode_base64("a*"), None);
    }

    #[test]
    fn addresses_are_escaped() {
        assert_eq!(file_address(Path::new("/tmp/a b#ü.html")), "file:///tmp/a%20b%23%C3%BC.html");
    }
}
