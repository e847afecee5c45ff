//! Bodies, frames, joints and what acts on them in the JSON form.

use super::super::super::compose::Role;
use super::super::placement::PLACES;
use super::super::reader::{Reader, has};
use super::super::value::Value;

impl Reader {
    pub(super) fn body(&mut self, value: &Value) {
        let may = [&["name", "shape", "of", "options"][..], &PLACES].concat();
        let must = if has(value, "of") { &["name", "shape"][..] } else { &["name"] };
        let Some(fields) = self.fields(value, &may, must) else { return };
        self.given(&fields, "name", Role::Name);
        self.composer.put(": ");
        self.given(&fields, "shape", Role::Expression);
        if let Some(mass) = fields.get("of") {
            self.composer.put(" of ");
            self.give(Role::Expression, mass);
        }
        let mut comma = fields.get("shape").is_some();
        self.settings(fields.get("options"), &mut comma);
        self.placement(value, &fields, comma);
    }

    pub(super) fn frame(&mut self, value: &Value) {
        let may = [&["name", "on"][..], &PLACES].concat();
        let Some(fields) = self.fields(value, &may, &["name", "on"]) else { return };
        self.given(&fields, "name", Role::Name);
        self.composer.put(" on ");
        self.given(&fields, "on", Role::Expression);
        self.composer.put(": ");
        self.placement(value, &fields, false);
    }

    pub(super) fn joint(&mut self, value: &Value) {
        let may = ["name", "kind", "ends", "at", "from", "to", "axis", "options", "off", "cut"];
        let Some(fields) = self.fields(value, &may, &["name", "kind", "ends"]) else { return };
        self.given(&fields, "name", Role::Name);
        self.composer.put(": ");
        self.given(&fields, "kind", Role::Word);
        self.composer.put("(");
        if let Some(ends) = fields.get("ends") {
            self.each(ends, |reader, end| reader.give(Role::Expression, end));
        }
        self.composer.put(")");
        self.placement(value, &fields, true);
        if let Some(axis) = fields.get("axis") {
            self.composer.put(", axis");
            self.side_by_side(axis);
        }
        self.options(fields.get("options"));
        for flag in ["off", "cut"] {
            if self.flag(fields.get(flag)) {
                self.composer.put(", ");
                self.composer.put(flag);
            }
        }
    }

    pub(super) fn drive(&mut self, value: &Value) {
        let may = ["name", "value", "motion", "off"];
        let Some(fields) = self.fields(value, &may, &["name", "value", "motion"]) else { return };
        for (key, role, after) in
            [("name", Role::Name, ": "), ("value", Role::Expression, " = "), ("motion", Role::Expression, "")]
        {
            self.given(&fields, key, role);
            self.composer.put(after);
        }
        if self.flag(fields.get("off")) {
            self.composer.put(", off");
        }
    }

    pub(super) fn element(&mut self, value: &Value) {
        let all = ["name", "value", "options"];
        let Some(fields) = self.fields(value, &all, &all) else { return };
        self.given(&fields, "name", Role::Name);
        self.composer.put(": ");
        self.given(&fields, "value", Role::Expression);
        self.options(fields.get("options"));
    }
}
